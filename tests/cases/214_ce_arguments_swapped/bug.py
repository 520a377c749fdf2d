import torch
from torch import nn
import torch.nn.functional as F


class Student(nn.Module):
    def __init__(self, d=20, k=5):
        super().__init__()
        self.fc = nn.Linear(d, k)

    def forward(self, x):
        return self.fc(x)


class DistillLoss(nn.Module):
    def __init__(self, T=2.0, alpha=0.5):
        super().__init__()
        self.T, self.alpha = T, alpha

    def forward(self, student, teacher, target):
        soft = F.kl_div(
            F.log_softmax(student / self.T, dim=-1), F.softmax(teacher / self.T, dim=-1), reduction="batchmean"
        ) * self.T ** 2
        hard = F.cross_entropy(target, student)
        return self.alpha * soft + (1 - self.alpha) * hard


def main():
    student, teacher = Student(), Student().eval().requires_grad_(False)
    crit = DistillLoss()
    x, y = torch.randn(9, 20), torch.randint(5, (9,))
    loss = crit(student(x), teacher(x), y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
