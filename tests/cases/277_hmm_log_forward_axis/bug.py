import torch
from torch import nn


class HMM(nn.Module):
    def __init__(self, states=5, symbols=9):
        super().__init__()
        self.start = nn.Parameter(torch.randn(states))
        self.trans = nn.Parameter(torch.randn(states, states))
        self.emit = nn.Parameter(torch.randn(states, symbols))

    def forward(self, obs):
        """obs (B, T) of symbols -> log likelihood (B,)"""
        log_start = self.start.log_softmax(0)
        log_trans = self.trans.log_softmax(1)
        log_emit = self.emit.log_softmax(1).t()
        alpha = log_start + log_emit[obs[:, 0]]
        for t in range(1, obs.shape[1]):
            alpha = torch.logsumexp(alpha[:, :, None] + log_trans, dim=0) + log_emit[obs[:, t]]
        return alpha.logsumexp(dim=1)

    @torch.no_grad()
    def viterbi(self, obs):
        score = self.start.log_softmax(0) + self.emit.log_softmax(1)[:, obs[0]]
        back = []
        for o in obs[1:]:
            best, arg = (score[:, None] + self.trans.log_softmax(1)).max(dim=0)
            score = best + self.emit.log_softmax(1)[:, o]
            back.append(arg)
        path = [int(score.argmax())]
        for arg in reversed(back):
            path.append(int(arg[path[-1]]))
        return path[::-1]


if __name__ == "__main__":
    hmm = HMM()
    obs = torch.randint(0, 9, (4, 7))
    print(hmm.viterbi(obs[0]))
    (-hmm(obs).mean()).backward()
