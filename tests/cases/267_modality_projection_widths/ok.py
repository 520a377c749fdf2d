from typing import Dict

import torch
from torch import Tensor, nn

DIMS = {"text": 24, "audio": 10, "video": 32}


class ModalityEncoder(nn.Module):
    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(n_in), nn.Linear(n_in, n_out), nn.GELU())

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class Fusion(nn.Module):
    def __init__(self, dims: Dict[str, int], shared: int = 16, classes: int = 5) -> None:
        super().__init__()
        self.order = sorted(dims)
        self.enc = nn.ModuleDict({k: ModalityEncoder(d, shared) for k, d in dims.items()})
        self.type_emb = nn.Embedding(len(dims), shared)
        self.attn = nn.MultiheadAttention(shared, 2, batch_first=True)
        self.head = nn.Linear(shared, classes)

    def forward(self, batch: Dict[str, Tensor]) -> Tensor:
        tokens = []
        for i, name in enumerate(self.order):
            h = self.enc[name](batch[name]) + self.type_emb(torch.tensor(i))
            tokens.append(h)
        x = torch.stack(tokens, dim=1)
        x = x + self.attn(x, x, x)[0]
        return self.head(x.mean(dim=1))


def main() -> None:
    batch = {k: torch.randn(6, d) for k, d in DIMS.items()}
    print(Fusion(DIMS)(batch).shape)


if __name__ == "__main__":
    main()
