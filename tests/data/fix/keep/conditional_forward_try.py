# tally: forward is defined conditionally
from torch import Tensor, nn


class Net(nn.Module):
    try:
        import flash_attn  # noqa: F401

        def forward(self, x: Tensor) -> Tensor:
            return x

    except ImportError:

        def forward(self, x: Tensor) -> Tensor:
            return -x
