import torch
from torch import nn


class Kalman(nn.Module):
    def __init__(self, dt=0.1):
        super().__init__()
        f = torch.eye(4)
        f[0, 2] = f[1, 3] = dt
        self.register_buffer("F", f)
        self.register_buffer("H", torch.eye(2, 4))
        self.log_q = nn.Parameter(torch.tensor(-3.0))
        self.log_r = nn.Parameter(torch.tensor(-1.0))

    def step(self, x, p, z):
        """x (B, 4), p (B, 4, 4), z (B, 2)"""
        x = x @ self.F.T
        p = self.F @ p @ self.F.T + self.log_q.exp() * torch.eye(4)
        s = self.H @ p @ self.H.T + self.log_r.exp() * torch.eye(2)
        gain = p @ self.H.T @ torch.linalg.inv(s)
        innovation = (z - x @ self.H.T).unsqueeze(-1)
        x = x + (gain @ innovation).squeeze(-1)
        p = (torch.eye(4) - gain @ self.H) @ p
        return x, p

    def forward(self, track):
        b, t, _ = track.shape
        x, p = torch.zeros(b, 4), torch.eye(4).repeat(b, 1, 1)
        out = []
        for i in range(t):
            x, p = self.step(x, p, track[:, i])
            out.append(x[:, :2])
        return torch.stack(out, dim=1)


def main():
    track = torch.cumsum(torch.randn(3, 12, 2) * 0.1, dim=1)
    print((Kalman()(track) - track).pow(2).mean().item())


if __name__ == "__main__":
    main()
