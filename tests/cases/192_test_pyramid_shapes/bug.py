import torch
import torch.nn.functional as F
from torch import nn


class FPN(nn.Module):
    def __init__(self, in_channels, out=16):
        super().__init__()
        self.lateral = nn.ModuleList([nn.Conv2d(c, out, 1) for c in in_channels])
        self.smooth = nn.ModuleList([nn.Conv2d(out, out, 3, padding=1) for _ in in_channels])

    def forward(self, feats):
        feats = [l(f) for l, f in zip(self.lateral, feats)]
        for i in range(len(feats) - 1, 0, -1):
            feats[i - 1] = feats[i - 1] + F.interpolate(feats[i], scale_factor=2, mode="nearest")
        return [s(f) for s, f in zip(self.smooth, feats)]


def test_fpn_keeps_resolution():
    feats = [torch.randn(1, c, s, s) for c, s in ((8, 32), (16, 16), (32, 8))]
    outs = FPN((8, 16, 32))(feats)
    assert len(outs) == 3
    for out, feat in zip(outs, feats):
        assert out.shape[-2:] == feat.shape[-2:]
    assert outs[0].shape == (1, 16, 32, 32)
    assert outs[-1].shape == (1, 32, 8, 8)


def test_fpn_single_level():
    (out,) = FPN([4], out=2)([torch.zeros(2, 4, 5, 5)])
    assert out.size() == torch.Size([2, 2, 5, 5])


if __name__ == "__main__":
    test_fpn_single_level()
    test_fpn_keeps_resolution()
