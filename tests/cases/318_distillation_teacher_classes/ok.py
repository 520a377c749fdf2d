import torch
import torch.nn.functional as F
from torch import nn

CONFIGS = {
    "teacher": {"width": 32, "depth": 3, "num_classes": 10},
    "student": {"width": 8, "depth": 1, "num_classes": 10},
}


class ResBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(y)))


class ResNet(nn.Module):
    def __init__(self, width, depth, num_classes):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.Sequential(*(ResBlock(width) for _ in range(depth)))
        self.fc = nn.Linear(width, num_classes)

    def forward(self, x):
        x = self.blocks(F.relu(self.stem(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


def create_model(name, **overrides):
    return ResNet(**{**CONFIGS[name], **overrides})


class DistillationLoss(nn.Module):
    def __init__(self, temperature=4.0, alpha=0.7):
        super().__init__()
        self.temperature, self.alpha = temperature, alpha

    def forward(self, student, teacher, labels):
        t = self.temperature
        soft = F.kl_div(
            F.log_softmax(student / t, dim=1), F.softmax(teacher / t, dim=1), reduction="batchmean"
        )
        return self.alpha * t * t * soft + (1 - self.alpha) * F.cross_entropy(student, labels)


class Distiller:
    def __init__(self):
        self.teacher = create_model("teacher").eval().requires_grad_(False)
        self.student = create_model("student")
        self.criterion = DistillationLoss()
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.1, momentum=0.9)

    def step(self, images, labels):
        with torch.no_grad():
            target = self.teacher(images)
        loss = self.criterion(self.student(images), target, labels)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    distiller = Distiller()
    for _ in range(2):
        print(distiller.step(torch.rand(4, 3, 16, 16), torch.randint(0, 10, (4,))))


if __name__ == "__main__":
    main()
