import torch
from torch import nn


class ConvStem(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.conv = nn.Conv2d(3, c, 3, padding=1)
        self.norm = nn.BatchNorm2d(c)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = ConvStem()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(self.stem(x).mean((-2, -1)))


def predict(model, images, precision="fp32"):
    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[precision]
    with torch.no_grad():
        logits = model(images.to(dtype))
    return logits.float().softmax(dim=1)


def main():
    images = torch.rand(2, 3, 16, 16)
    model = Net().eval()
    for precision in ("fp32", "bf16"):
        probs = predict(model, images, precision)
        print(precision, probs.sum(1))


if __name__ == "__main__":
    main()
