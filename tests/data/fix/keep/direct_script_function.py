import torch


@torch.jit.script
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class Codec:
    def encode(self, x):
        return self.forward(x)

    def forward(self, x):
        return double(x)
