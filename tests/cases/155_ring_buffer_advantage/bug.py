import torch
from jaxtyping import Float
from torch import Tensor, nn


class Buffer:
    def __init__(self, size: int, obs: int):
        self.obs = torch.zeros(size, obs)
        self.value = torch.zeros(size)
        self.ret = torch.zeros(size)
        self.i = 0

    def add(self, obs: Tensor, value: float, ret: float) -> None:
        self.obs[self.i], self.value[self.i], self.ret[self.i] = obs, value, ret
        self.i += 1

    def minibatches(self, n: int):
        for index in torch.randperm(self.i).split(n):
            yield self.obs[index], self.value[index], self.ret[index]


def value_loss(critic, obs: Float[Tensor, "b obs"], old: Float[Tensor, " b"], ret: Float[Tensor, " b"], eps=0.2):
    value = critic(obs)
    clipped = old + (value - old).clamp(-eps, eps)
    return torch.max((value - ret) ** 2, (clipped - ret) ** 2).mean()


def main():
    critic = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
    buffer = Buffer(32, 3)
    for t in range(32):
        buffer.add(torch.randn(3), 0.0, float(t % 4))
    for obs, old, ret in buffer.minibatches(8):
        loss = value_loss(critic, obs, old, ret)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
