# options: --select direct-forward
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


net = Net()
y = net.forward(torch.zeros(1))
