import torch
from beartype import beartype
from jaxtyping import Float, UInt8, jaxtyped
from torch import Tensor, nn

Photo = UInt8[Tensor, "h w 3"]
Image = Float[Tensor, "3 h w"]
Batch = Float[Tensor, "b 3 h w"]


def to_image(photo: Photo) -> Image:
    return photo.transpose(0, 1).float() / 255.0


class Detector(nn.Module):
    def __init__(self, anchors: int = 3):
        super().__init__()
        self.stem = nn.Conv2d(3, 12, 3, stride=2, padding=1)
        self.head = nn.Conv2d(12, 5 * anchors, 1)

    def forward(self, x: Batch) -> Float[Tensor, "b cells 5"]:
        y = self.head(torch.relu(self.stem(x)))
        return y.permute(0, 2, 3, 1).reshape(x.shape[0], -1, 5)


@jaxtyped(typechecker=beartype)
def best_box(boxes: Float[Tensor, "b cells 5"]) -> Float[Tensor, "b 4"]:
    which = boxes[..., 4].argmax(dim=1)
    return boxes[torch.arange(boxes.shape[0]), which, :4]


def main() -> None:
    photos = [torch.randint(0, 256, (20, 24, 3), dtype=torch.uint8) for _ in range(4)]
    batch = torch.stack([to_image(p) for p in photos])
    print(best_box(Detector()(batch)).shape)


if __name__ == "__main__":
    main()
