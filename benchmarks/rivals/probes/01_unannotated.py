# asks: finds a layer of the wrong size, without annotations
# pytest-torch: Net() 4x16
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 32)
        self.head = nn.Linear(16, 4)  # planted; right: self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.body(x).relu())


def main():
    print(Net()(torch.randn(4, 16)).shape)


if __name__ == "__main__":
    main()
