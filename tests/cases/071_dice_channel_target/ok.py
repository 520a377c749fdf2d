import torch
from jaxtyping import Float
from torch import Tensor, nn


def dice_loss(
    prob: Float[Tensor, "b 1 h w"], mask: Float[Tensor, "b h w"], eps: float = 1.0
) -> Float[Tensor, ""]:
    prob = prob.squeeze(1)
    inter = (prob * mask).sum()
    return 1 - (2 * inter + eps) / (prob.sum() + mask.sum() + eps)


class VesselNet(nn.Module):
    def __init__(self, width: int = 12):
        super().__init__()
        self.inp = nn.Conv2d(1, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width, 3, padding=2, dilation=2)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x: Float[Tensor, "b 1 h w"]) -> Float[Tensor, "b 1 h w"]:
        x = torch.relu(self.inp(x))
        x = x + torch.relu(self.mid(x))
        return torch.sigmoid(self.out(x))


def main() -> None:
    net = VesselNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for _ in range(2):
        image = torch.rand(3, 1, 24, 24)
        mask = (image[:, 0] > 0.8).float()
        loss = dice_loss(net(image), mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
