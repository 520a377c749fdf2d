import torch
from torch import nn


class Member(nn.Module):
    def __init__(self, n_in=4, hidden=12, n_out=2):
        super().__init__()
        self.l1, self.l2 = nn.Linear(n_in, hidden), nn.Linear(hidden, n_out)

    def forward(self, x):
        return self.l2(torch.relu(self.l1(x)))


class BatchedEnsemble(nn.Module):
    """All members at once: weights of shape (members, out, in)."""

    def __init__(self, members):
        super().__init__()
        for name in ("l1", "l2"):
            layers = [getattr(m, name) for m in members]
            self.register_parameter(f"{name}_w", nn.Parameter(torch.stack([l.weight.detach() for l in layers])))
            self.register_parameter(f"{name}_b", nn.Parameter(torch.stack([l.bias.detach() for l in layers])))

    def forward(self, x):
        h = x.expand(self.l1_w.size(0), *x.shape)
        h = torch.baddbmm(self.l1_b.unsqueeze(1), h, self.l1_w.transpose(1, 2)).relu()
        return torch.baddbmm(self.l2_b[:, None], h, self.l2_w.transpose(1, 2))


def test_same_as_loop():
    members = [Member() for _ in range(5)]
    x = torch.randn(7, 4)
    got = BatchedEnsemble(members)(x)
    want = torch.stack([m(x) for m in members])
    assert got.shape == want.shape == (5, 7, 2)
    assert torch.allclose(got, want, atol=1e-5)


if __name__ == "__main__":
    test_same_as_loop()
