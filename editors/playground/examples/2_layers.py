# Layers that do not match
from torch import nn


class Classifier(nn.Module):
    def __init__(self, channels=32, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, channels, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(4),
        )
        self.head = nn.Linear(channels * 4 * 4, classes)

    def forward(self, images):
        x = self.features(images)
        x = x.flatten(1)
        return self.head(x)
