# asks: finds a wrong size that is parsed from a string
# pytest-torch: Net() 4x64
import re

import torch
from torch import Tensor, nn

NAMES = {"small": "vit-w64-h4", "large": "vit-w128-h8"}


class Net(nn.Module):
    def __init__(self, name: str = "small") -> None:
        super().__init__()
        width, heads = map(int, re.findall(r"\d+", NAMES[name]))
        self.body = nn.Linear(width, width // heads)
        self.head = nn.Linear(width, 4)  # planted; right: self.head = nn.Linear(width // heads, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x))


def main() -> None:
    print(Net()(torch.randn(4, 64)).shape)


if __name__ == "__main__":
    main()
