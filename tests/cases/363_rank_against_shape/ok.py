import torch
from torch import Tensor, nn


def as_batch(signal: Tensor) -> Tensor:
    """Adds the batch and channel dimensions that a single recording lacks."""
    if signal.dim() == 1:
        signal = signal[None, None]
    elif signal.dim() == 2:
        signal = signal.unsqueeze(1)
    return signal


class Denoiser(nn.Module):
    def __init__(self, hidden: int = 8):
        super().__init__()
        self.encode = nn.Conv1d(1, hidden, 5, padding=2)
        self.decode = nn.Conv1d(hidden, 1, 5, padding=2)

    def forward(self, signal: Tensor) -> Tensor:
        return signal - self.decode(self.encode(signal).relu())


def main():
    model = Denoiser()
    print(model(as_batch(torch.randn(4, 100))).shape)
    print(model(as_batch(torch.randn(100))).shape)


if __name__ == "__main__":
    main()
