try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise SystemExit("no torch") from error


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x)
