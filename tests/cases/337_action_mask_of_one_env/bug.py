import torch
from torch import nn
from torch.distributions import Categorical


class MaskedCategorical(Categorical):
    def __init__(self, logits, mask):
        self.mask = mask
        super().__init__(logits=logits.masked_fill(~mask, -1e8))

    def entropy(self):
        p_log_p = self.logits.clamp(min=-1e6) * self.probs
        return -(p_log_p * self.mask).sum(-1)


class CardGame:
    """Each player has a hand of cards; played cards are gone."""

    def __init__(self, players, cards=6):
        self.players, self.cards = players, cards
        self.hand = torch.ones(players, cards, dtype=torch.bool)

    def observe(self):
        return self.hand.float(), self.hand

    def play(self, cards):
        rows = torch.arange(self.players)
        self.hand[rows, cards] = False
        return (cards.float() + 1) / self.cards


class PolicyNet(nn.Module):
    def __init__(self, cards, width=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cards, width), nn.Tanh())
        self.policy, self.value = nn.Linear(width, cards), nn.Linear(width, 1)

    def forward(self, obs, mask):
        h = self.body(obs)
        return MaskedCategorical(self.policy(h), mask), self.value(h).squeeze(-1)


def choices_left(mask):
    return (mask.sum(dim=1, keepdim=True) > 1).float()


def entropy_bonus(dist, mask):
    return (dist.entropy() * choices_left(mask)).mean()


class Reinforce:
    def __init__(self, net, coefficient=0.01):
        self.net, self.coefficient = net, coefficient
        self.opt = torch.optim.RMSprop(net.parameters(), lr=7e-4)

    def episode(self, game, turns):
        log_probs, values, rewards, bonus = [], [], [], 0.0
        for _ in range(turns):
            obs, mask = game.observe()
            dist, value = self.net(obs, mask.clone())
            cards = dist.sample()
            log_probs.append(dist.log_prob(cards))
            values.append(value)
            rewards.append(game.play(cards))
            bonus = bonus + entropy_bonus(dist, dist.mask)
        returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
        advantage = returns - torch.stack(values)
        policy = -(torch.stack(log_probs) * advantage.detach()).mean()
        loss = policy + advantage.pow(2).mean() - self.coefficient * bonus
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    learner = Reinforce(PolicyNet(6))
    for _ in range(2):
        print(learner.episode(CardGame(players=5), turns=4))


if __name__ == "__main__":
    main()
