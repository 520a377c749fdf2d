import torch
import torch.nn.functional as F
from torch import nn


def mlp_params(sizes):
    params = {}
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        params[f"w{i}"] = nn.Parameter(torch.randn(b, a) * (2 / a) ** 0.5)
        params[f"b{i}"] = nn.Parameter(torch.zeros(b))
    return params


def forward(params, x):
    n = len(params) // 2
    for i in range(n):
        x = F.linear(x, params[f"w{i}"], params[f"b{i}"])
        if i < n - 1:
            x = torch.relu(x)
    return x


def adapt(params, x, y, lr=0.01, steps=2):
    fast = dict(params)
    for _ in range(steps):
        loss = F.mse_loss(forward(fast, x), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: p - lr * g for (k, p), g in zip(fast.items(), grads)}
    return fast


def sinusoid(n):
    amp, phase = torch.rand(1) * 4.9 + 0.1, torch.rand(1) * 3.14
    x = torch.rand(n, 1) * 10 - 5
    return x, amp * torch.sin(x + phase)


def main():
    params = mlp_params([1, 40, 40, 1])
    xs, ys = sinusoid(10)
    xq, yq = sinusoid(10)
    fast = adapt(params, xs, ys)
    loss = F.mse_loss(forward(fast, xq), yq)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
