import torch
from torch import nn
from torch.distributions import Normal


class Buffer:
    def __init__(self):
        self.data = {"obs": [], "action": [], "logp": [], "ret": []}

    def add(self, **items):
        for key, value in items.items():
            self.data[key].append(value)

    def batches(self, size):
        tensors = {k: torch.cat(v) for k, v in self.data.items()}
        order = torch.randperm(len(tensors["ret"]))
        for start in range(0, len(order), size):
            pick = order[start : start + size]
            yield {k: v[pick] for k, v in tensors.items()}


class GaussianPolicy(nn.Module):
    def __init__(self, obs_dim=5, actions=4, width=32):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, actions))
        self.log_std = nn.Parameter(torch.full((actions,), -0.5))
        self.value = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, 1), nn.Flatten(0))

    def distribution(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())

    @torch.no_grad()
    def act(self, obs):
        dist = self.distribution(obs)
        action = dist.sample()
        return action, dist.log_prob(action).sum(-1)

    def evaluate(self, obs, action):
        dist = self.distribution(obs)
        logp = dist.log_prob(action)
        return logp, dist.entropy().sum(-1), self.value(obs)


class PPO:
    def __init__(self, policy, clip=0.2, lr=3e-4):
        self.policy, self.clip = policy, clip
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)

    def ratio(self, batch):
        logp, entropy, value = self.policy.evaluate(batch["obs"], batch["action"])
        return (logp - batch["logp"]).exp(), entropy, value

    def update(self, batch):
        ratio, entropy, value = self.ratio(batch)
        advantage = batch["ret"] - value.detach()
        clipped = ratio.clamp(1 - self.clip, 1 + self.clip)
        policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
        loss = policy_loss + 0.5 * (value - batch["ret"]).pow(2).mean() - 0.01 * entropy.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def main():
    policy, buffer = GaussianPolicy(), Buffer()
    for _ in range(4):
        obs = torch.randn(8, 5)
        action, logp = policy.act(obs)
        buffer.add(obs=obs, action=action, logp=logp, ret=torch.randn(8))
    ppo = PPO(policy)
    for batch in buffer.batches(4):
        ppo.update(batch)


if __name__ == "__main__":
    main()
