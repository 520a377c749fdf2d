import torch
from jaxtyping import Float
from torch import Tensor, nn


def conv_out(size: int, kernel: int, stride: int) -> int:
    return (size - (kernel - 1) - 1) // stride + 1


class QNetwork(nn.Module):
    def __init__(self, side: int, n_actions: int):
        super().__init__()
        self.conv1 = nn.Conv2d(4, 16, kernel_size=8, stride=4)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=4, stride=2)
        out = conv_out(conv_out(side, 8, 4), 4, 2)
        self.value = nn.Linear(32 * out * out, 1)
        self.advantage = nn.Linear(32 * out * out, n_actions)

    def forward(self, frames: Float[Tensor, "batch 4 h w"]) -> Float[Tensor, "batch actions"]:
        h = torch.relu(self.conv1(frames))
        h = torch.relu(self.conv2(h))
        h = h.view(h.size(0), -1)
        adv = self.advantage(h)
        return self.value(h) + adv - adv.mean(dim=1, keepdim=True)


def preprocess(raw):
    gray = raw.float().mean(dim=2) / 255.0
    return gray[:, :, 2:-2, 2:-2]


def main():
    raw = torch.randint(0, 256, (2, 4, 3, 84, 84))
    net = QNetwork(side=84, n_actions=6)
    q = net(preprocess(raw))
    print(q.argmax(dim=1))


if __name__ == "__main__":
    main()
