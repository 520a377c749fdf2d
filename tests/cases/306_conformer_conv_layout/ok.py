import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, dim, mult=4, dropout=0.1):
        super().__init__()
        self.net = nn.Sequential(
            nn.LayerNorm(dim), nn.Linear(dim, dim * mult), nn.SiLU(), nn.Dropout(dropout), nn.Linear(dim * mult, dim)
        )

    def forward(self, x):
        return self.net(x)


class ConvModule(nn.Module):
    def __init__(self, dim, kernel=7):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.expand = nn.Conv1d(dim, 2 * dim, 1)
        self.depthwise = nn.Conv1d(dim, dim, kernel, padding=kernel // 2, groups=dim)
        self.bn = nn.BatchNorm1d(dim)
        self.project = nn.Conv1d(dim, dim, 1)

    def forward(self, x):
        x = self.norm(x).transpose(1, 2)
        x = F.glu(self.expand(x), dim=1)
        x = F.silu(self.bn(self.depthwise(x)))
        return self.project(x).transpose(1, 2)


class EncoderBlock(nn.Module):
    def __init__(self, dim, heads, kernel):
        super().__init__()
        self.ff1, self.ff2 = FeedForward(dim), FeedForward(dim)
        self.attn_norm = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.conv = ConvModule(dim, kernel)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x, key_padding_mask=None):
        x = x + 0.5 * self.ff1(x)
        y = self.attn_norm(x)
        x = x + self.attn(y, y, y, key_padding_mask=key_padding_mask, need_weights=False)[0]
        x = x + self.conv(x)
        x = x + 0.5 * self.ff2(x)
        return self.norm(x)


class SpeechEncoder(nn.Module):
    def __init__(self, mels=40, dim=48, heads=4, depth=2, kernel=7, vocab=30):
        super().__init__()
        self.subsample = nn.Conv1d(mels, dim, 3, stride=2, padding=1)
        self.blocks = nn.ModuleList(EncoderBlock(dim, heads, kernel) for _ in range(depth))
        self.ctc = nn.Linear(dim, vocab)

    def forward(self, mel, lengths):
        x = F.relu(self.subsample(mel)).transpose(1, 2)
        lengths = (lengths + 1) // 2
        mask = torch.arange(x.shape[1])[None] >= lengths[:, None]
        for block in self.blocks:
            x = block(x, mask)
        return self.ctc(x).log_softmax(-1), lengths


def main():
    model = SpeechEncoder()
    mel, lengths = torch.randn(2, 40, 60), torch.tensor([60, 44])
    log_probs, frames = model(mel, lengths)
    targets = torch.randint(1, 30, (2, 8))
    loss = F.ctc_loss(log_probs.transpose(0, 1), targets, frames, torch.tensor([8, 6]))
    print(loss.item())


if __name__ == "__main__":
    main()
