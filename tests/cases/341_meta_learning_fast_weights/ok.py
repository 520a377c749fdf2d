from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class Sinusoids:
    def __init__(self, shots=5, queries=10):
        self.shots, self.queries = shots, queries

    def sample(self):
        amplitude, phase = torch.rand(1) * 4 + 0.1, torch.rand(1) * 3.14
        x = torch.rand(self.shots + self.queries, 1) * 10 - 5
        y = amplitude * torch.sin(x + phase)
        return (x[: self.shots], y[: self.shots]), (x[self.shots :], y[self.shots :])


class Regressor(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.weights = nn.ParameterDict()
        for i, (a, b) in enumerate([(1, width), (width, width + 10), (width + 10, 1)]):
            self.weights[f"w{i}"] = nn.Parameter(torch.randn(b, a) / a**0.5)
            self.weights[f"b{i}"] = nn.Parameter(torch.zeros(b))

    def named(self):
        return OrderedDict(self.weights.items())

    def forward(self, x, weights=None):
        weights = self.named() if weights is None else weights
        last = len(weights) // 2 - 1
        for i in range(last + 1):
            bias = weights[f"b{i}"]
            x = F.linear(x, weights[f"w{i}"]) + bias
            if i < last:
                x = F.relu(x)
        return x


class MAML:
    def __init__(self, model, inner_lr=0.01, inner_steps=2):
        self.model, self.inner_lr, self.inner_steps = model, inner_lr, inner_steps
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)

    def adapt(self, support):
        x, y = support
        fast = self.model.named()
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.model(x, fast), y)
            grads = torch.autograd.grad(loss, fast.values(), create_graph=True)
            fast = OrderedDict((n, w - self.inner_lr * g) for (n, w), g in zip(fast.items(), grads))
        return fast

    def meta_step(self, tasks):
        losses = []
        for support, (x, y) in tasks:
            fast = self.adapt(support)
            losses.append(F.mse_loss(self.model(x, fast), y))
        loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    tasks, learner = Sinusoids(), MAML(Regressor())
    for _ in range(2):
        print(learner.meta_step([tasks.sample() for _ in range(3)]))


if __name__ == "__main__":
    main()
