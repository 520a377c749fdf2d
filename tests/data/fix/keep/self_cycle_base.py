from torch import Tensor


def later() -> type:
    class Net(Net):  # noqa: F821
        def forward(self, x: Tensor) -> Tensor:
            return x

    return Net
