import torch
from torch import nn
from torch.distributions import Categorical


class VecEnv:
    def __init__(self, n, obs_shape=(4,)):
        self.n, self.obs_shape = n, obs_shape

    def reset(self):
        return torch.randn(self.n, *self.obs_shape)

    def step(self, action):
        return torch.randn(self.n, *self.obs_shape), torch.rand(self.n), torch.rand(self.n) < 0.1


class Agent(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.critic = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, 1))

    def value(self, x):
        return self.critic(x)

    def act(self, x, action=None):
        probs = Categorical(logits=self.actor(x))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)


def main(steps=8, n_envs=3, gamma=0.99, lam=0.95):
    env = VecEnv(n_envs)
    agent = Agent(4, 2)
    obs = torch.zeros((steps, n_envs) + env.obs_shape)
    actions, logps = torch.zeros(steps, n_envs), torch.zeros(steps, n_envs)
    rewards, dones, values = (torch.zeros((steps, n_envs)) for _ in range(3))
    nxt, done = env.reset(), torch.zeros(n_envs)
    for t in range(steps):
        obs[t], dones[t] = nxt, done
        with torch.no_grad():
            a, lp, _, v = agent.act(nxt)
            values[t] = v.flatten()
        actions[t], logps[t] = a, lp
        nxt, rewards[t], d = env.step(a)
        done = d.float()
    with torch.no_grad():
        last_value = agent.value(nxt).reshape(1, -1)
        adv, running = torch.zeros_like(rewards), 0
        for t in reversed(range(steps)):
            alive = 1.0 - (done if t == steps - 1 else dones[t + 1])
            nv = last_value if t == steps - 1 else values[t + 1]
            delta = rewards[t] + gamma * nv * alive - values[t]
            adv[t] = running = delta + gamma * lam * alive * running
        returns = adv + values
    b_obs = obs.reshape((-1,) + env.obs_shape)
    b_act, b_logp, b_adv, b_ret = (x for x in (actions, logps, adv, returns))
    for idx in torch.randperm(steps * n_envs).split(6):
        _, lp, ent, v = agent.act(b_obs[idx], b_act.long()[idx])
        ratio = (lp - b_logp[idx]).exp()
        pg = torch.max(-b_adv[idx] * ratio, -b_adv[idx] * ratio.clamp(0.8, 1.2)).mean()
        vf = 0.5 * ((v.view(-1) - b_ret[idx]) ** 2).mean()
        (pg + 0.5 * vf - 0.01 * ent.mean()).backward()
    print(pg.item())


if __name__ == "__main__":
    main()
