"""`examples/resnet.py` with an error: the first convolution gets no gradient."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F


class Block(nn.Module):
    """Two convolutions with a residual connection, which is projected if the shape changes."""

    def __init__(self, inputs: int = 8, outputs: int = 16, stride: int = 2) -> None:
        super().__init__()
        self.inputs = inputs
        self.outputs = outputs
        self.stride = stride
        self.first = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.project: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.project = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False),
                nn.BatchNorm2d(outputs),
            )

    def forward(
        self, x: Float[Tensor, "b {self.inputs} h w"]
    ) -> Float[Tensor, "b {self.outputs} (h-1)//{self.stride}+1 (w-1)//{self.stride}+1"]:
        """Add the result of the convolutions to the input."""
        hidden = F.relu(self.first_norm(self.first(x))).detach()  # planted: missing-gradient
        change: Float[Tensor, "b {self.outputs} _ _"] = self.second_norm(self.second(hidden))
        return F.relu(self.project(x) + change)


def stage(inputs: int, outputs: int, blocks: int, stride: int) -> nn.Sequential:
    """Blocks of the same shape, after one that changes it."""
    following = (Block(outputs, outputs, 1) for _ in range(blocks - 1))
    return nn.Sequential(Block(inputs, outputs, stride), *following)


class ResNet(nn.Module):
    """Images of any size to class scores."""

    def __init__(self, channels: int = 3, width: int = 8, blocks: int = 2, classes: int = 10) -> None:
        super().__init__()
        self.channels = channels
        self.classes = classes
        self.stem = nn.Conv2d(channels, width, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.stages = nn.Sequential(
            stage(width, width, blocks, stride=1),
            stage(width, 2 * width, blocks, stride=2),
            stage(2 * width, 4 * width, blocks, stride=2),
        )
        self.head = nn.Linear(4 * width, classes)

    def forward(self, images: Float[Tensor, "b {self.channels} h w"]) -> Float[Tensor, "b {self.classes}"]:
        """The scores of each image, from the mean over its pixels."""
        x: Float[Tensor, "b c h w"] = F.relu(self.norm(self.stem(images)))
        features: Float[Tensor, "b 4*c _ _"] = self.stages(x)
        pooled: Float[Tensor, "b 4*c"] = features.mean(dim=(2, 3))
        scores: Float[Tensor, "b {self.classes}"] = self.head(pooled)
        return scores


def accuracy(scores: Float[Tensor, "b classes"], labels: Int[Tensor, "b"]) -> Float[Tensor, ""]:
    """The fraction of images whose highest score is that of their label."""
    return (scores.argmax(dim=1) == labels).float().mean()


def main() -> None:
    """Classify four random images."""
    model = ResNet()
    scores = model(torch.randn(4, 3, 20, 20))
    accuracy(scores, torch.randint(10, (4,)))
    print(tuple(scores.shape))


if __name__ == "__main__":
    main()
