import torch
from jaxtyping import Float
from torch import Tensor, nn


class Hourglass(nn.Module):
    def __init__(self, width: int = 16):
        super().__init__()
        self.down1 = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.down2 = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.up2 = nn.ConvTranspose2d(2 * width, width, 4, stride=2, padding=1)
        self.up1 = nn.ConvTranspose2d(width, 8, 4, stride=2, padding=1)
        self.heat = nn.Conv2d(8, 5, 1)

    def forward(self, img: Float[Tensor, "b 3 50 50"]) -> Float[Tensor, "b 5 50 50"]:
        a = torch.relu(self.down1(img))
        b = torch.relu(self.down2(a))
        c = self.up2(b) + a
        return self.heat(torch.relu(self.up1(c)))


def soft_argmax(heat: Float[Tensor, "b k h w"]) -> Float[Tensor, "b k 2"]:
    h, w = heat.shape[-2:]
    p = heat.flatten(2).softmax(dim=-1).unflatten(2, (h, w))
    y = (p.sum(dim=3) * torch.arange(h)).sum(dim=2)
    x = (p.sum(dim=2) * torch.arange(w)).sum(dim=2)
    return torch.stack([x, y], dim=-1)


def main() -> None:
    print(soft_argmax(Hourglass()(torch.rand(2, 3, 50, 50))).shape)


if __name__ == "__main__":
    main()
