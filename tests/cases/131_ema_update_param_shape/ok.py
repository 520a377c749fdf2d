import torch
from torch import nn


class Projector(nn.Module):
    def __init__(self, n_in=10, hidden=48, out=16):
        super().__init__()
        self.fc1 = nn.Linear(n_in, hidden)
        self.fc2 = nn.Linear(hidden, out)

    def forward(self, x):
        return nn.functional.normalize(self.fc2(torch.relu(self.fc1(x))), dim=-1)


@torch.no_grad()
def ema(student, teacher, momentum=0.99):
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.mul_(momentum).add_(s, alpha=1 - momentum)


def byol_loss(p, z):
    return (2 - 2 * (p * z.detach()).sum(dim=-1)).mean()


def main():
    student = Projector()
    teacher = Projector()
    predictor = nn.Linear(16, 16)
    opt = torch.optim.Adam([*student.parameters(), *predictor.parameters()], lr=1e-3)
    for _ in range(2):
        x = torch.randn(20, 10)
        a, b = x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
        loss = byol_loss(predictor(student(a)), teacher(b))
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema(student, teacher)
    print(loss.item())


if __name__ == "__main__":
    main()
