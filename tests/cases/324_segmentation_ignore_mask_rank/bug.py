import torch
import torch.nn.functional as F
from torch import nn

IGNORE = 255


class ASPP(nn.Module):
    def __init__(self, c_in, c_out, rates=(1, 2, 4)):
        super().__init__()
        self.branches = nn.ModuleList(
            [nn.Conv2d(c_in, c_out, 3, padding=r, dilation=r, bias=False) for r in rates]
        )
        self.pool = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c_in, c_out, 1))
        self.project = nn.Conv2d(c_out * (len(rates) + 1), c_out, 1)

    def forward(self, x):
        outs = [branch(x) for branch in self.branches]
        outs.append(F.interpolate(self.pool(x), size=x.shape[-2:]))
        return F.relu(self.project(torch.cat(outs, dim=1)))


class DeepLab(nn.Module):
    def __init__(self, classes, width=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, 2 * width, 3, 2, 1), nn.ReLU()
        )
        self.aspp = ASPP(2 * width, width)
        self.classifier = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        y = self.classifier(self.aspp(self.encoder(x)))
        return F.interpolate(y, size=x.shape[-2:], mode="bilinear", align_corners=False)


class OhemLoss(nn.Module):
    """Cross entropy of the hardest pixels."""

    def __init__(self, keep=0.3):
        super().__init__()
        self.keep = keep

    def forward(self, logits, target):
        valid = target != IGNORE
        pixels = logits[valid]
        losses = F.cross_entropy(pixels, target[valid], reduction="none")
        count = max(1, int(self.keep * losses.numel()))
        return losses.topk(count).values.mean()


def make_batch(classes, n=2, size=32):
    images = torch.rand(n, 3, size, size)
    target = torch.randint(0, classes, (n, size, size))
    target[:, :2] = IGNORE
    return images, target


class Runner:
    def __init__(self, classes=6):
        self.classes = classes
        self.model = DeepLab(classes)
        self.criterion = OhemLoss()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def run(self, iterations):
        for _ in range(iterations):
            images, target = make_batch(self.classes)
            loss = self.criterion(self.model(images), target)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


if __name__ == "__main__":
    print(Runner().run(2))
