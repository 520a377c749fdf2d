import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def euclid(a: Float[Tensor, "b dim"], b: Float[Tensor, "b dim"]) -> Float[Tensor, " b"]:
    return (a - b).pow(2).sum(dim=1).add(1e-8).sqrt()


def triplet_loss(
    anchor: Float[Tensor, "b dim"],
    positive: Float[Tensor, "b dim"],
    negative: Float[Tensor, "b dim"],
    margin: float = 0.3,
) -> Float[Tensor, ""]:
    near = euclid(anchor, positive)
    far = 1.0 - (F.normalize(anchor) * F.normalize(negative)).sum(dim=1, keepdim=True)
    return F.relu(near - far + margin).mean()


class FaceNet(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.PReLU(), nn.Conv2d(8, dim, 3, 2))

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b dim"]:
        return F.normalize(self.conv(x).amax(dim=(2, 3)), dim=1)


def main() -> None:
    net = FaceNet()
    a, p, n = (net(torch.rand(7, 3, 20, 20)) for _ in range(3))
    loss = triplet_loss(a, p, n)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
