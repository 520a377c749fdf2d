from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Rollout:
    obs: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def tensors(self):
        return torch.stack(self.obs), torch.stack(self.actions), torch.tensor(self.rewards)


class Corridor:
    """Walk right to reach the goal."""

    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.at = 0
        return self.observe()

    def observe(self):
        state = torch.zeros(self.length)
        state[self.at] = 1.0
        return state

    def step(self, action):
        self.at = max(0, min(self.length - 1, self.at + (1 if action == 1 else -1)))
        done = self.at == self.length - 1
        return self.observe(), 1.0 if done else -0.05, done


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, actions=2, width=64):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, actions))
        self.critic = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, obs):
        values = self.critic(obs)
        return Categorical(logits=self.policy(obs)), values


def discounted(rewards, gamma=0.98):
    out = torch.zeros_like(rewards)
    total = 0.0
    for t in reversed(range(len(rewards))):
        total = rewards[t] + gamma * total
        out[t] = total
    return out


def losses(model, obs, actions, rewards):
    dist, values = model(obs)
    returns = discounted(rewards)
    advantage = returns - values
    policy_loss = -(dist.log_prob(actions) * advantage.detach()).mean()
    return policy_loss, advantage.pow(2)


def collect(env, model, limit=30):
    rollout, obs = Rollout(), env.reset()
    for _ in range(limit):
        with torch.no_grad():
            action = model(obs[None])[0].sample()[0]
        rollout.obs.append(obs)
        rollout.actions.append(action)
        obs, reward, done = env.step(int(action))
        rollout.rewards.append(reward)
        if done:
            break
    return rollout.tensors()


def main():
    env = Corridor()
    model = ActorCritic(env.length)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(3):
        policy_loss, errors = losses(model, *collect(env, model))
        opt.zero_grad()
        (policy_loss + 0.5 * errors.mean()).backward()
        opt.step()


if __name__ == "__main__":
    main()
