import torch
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def inpaint_loss(
    pred: Float[Tensor, "b c h w"], image: Float[Tensor, "b c h w"], hole: Bool[Tensor, "b 1 h w"]
) -> Float[Tensor, ""]:
    diff = (pred - image).abs()
    valid = (diff * ~hole).mean()
    return valid + 6.0 * (diff * hole).mean()


class Inpainter(nn.Module):
    def __init__(self, width: int = 16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(4, width, 5, padding=2), nn.ReLU(), nn.Conv2d(width, 3, 5, padding=2), nn.Sigmoid()
        )

    def forward(
        self, image: Float[Tensor, "b 3 h w"], hole: Bool[Tensor, "b 1 h w"]
    ) -> Float[Tensor, "b 3 h w"]:
        masked = image.masked_fill(hole, 0.0)
        return self.net(torch.cat([masked, hole.float()], dim=1))


def main() -> None:
    image = torch.rand(2, 3, 16, 16)
    hole = torch.rand(2, 1, 16, 16) < 0.25
    print(inpaint_loss(Inpainter()(image, hole), image, hole).item())


if __name__ == "__main__":
    main()
