import torch
import torch.nn.functional as F
from torch import nn


class ClipEncoder(nn.Module):
    def __init__(self, c=3, dim=24):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv3d(c, 12, (3, 5, 5), stride=(1, 2, 2), padding=(1, 2, 2)), nn.ReLU(),
            nn.Conv3d(12, dim, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.pool = nn.AdaptiveAvgPool3d(1)

    def forward(self, clip):
        x = self.pool(self.conv(clip))
        return x.squeeze()


class Retrieval(nn.Module):
    def __init__(self, dim=24, n_texts=6):
        super().__init__()
        self.video = ClipEncoder(dim=dim)
        self.text = nn.Parameter(torch.randn(n_texts, dim))

    def forward(self, clips):
        v = F.normalize(self.video(clips), dim=1)
        t = F.normalize(self.text, dim=1)
        return v @ t.t()


def main():
    model = Retrieval().eval()
    print(model(torch.rand(3, 3, 4, 32, 32)).shape)
    clip = torch.rand(3, 4, 32, 32)
    print(model(clip[None]).topk(2, dim=1).indices)


if __name__ == "__main__":
    main()
