from dataclasses import dataclass, replace
from typing import Optional

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    dim: int = 24
    heads: int = 3
    depth: int = 2
    global_token: bool = False
    dropout: float = 0.0


PRESETS = {"base": Settings(), "global": replace(Settings(), global_token=True, dim=36)}


class TrajectoryEncoder(nn.Module):
    def __init__(self, settings: Settings, features: int = 4) -> None:
        super().__init__()
        self.project = nn.Sequential(nn.Linear(features, settings.dim), nn.ReLU())
        self.rnn = nn.GRU(settings.dim, settings.dim, batch_first=True)

    def forward(self, tracks: Tensor) -> Tensor:
        b, agents, steps, f = tracks.shape
        y, _ = self.rnn(self.project(tracks.reshape(b * agents, steps, f)))
        return y[:, -1].view(b, agents, -1)


class MapEncoder(nn.Module):
    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, settings.dim, 3, stride=2), nn.AdaptiveAvgPool2d(1)
        )

    def forward(self, raster: Tensor) -> Tensor:
        return self.net(raster).flatten(1)


class Forecaster(nn.Module):
    def __init__(self, settings: Settings, horizon: int = 6) -> None:
        super().__init__()
        self.tracks = TrajectoryEncoder(settings)
        self.map: Optional[MapEncoder] = MapEncoder(settings) if settings.global_token else None
        layer = nn.TransformerEncoderLayer(
            settings.dim, settings.heads, 2 * settings.dim, settings.dropout, batch_first=True
        )
        self.mixer = nn.TransformerEncoder(layer, settings.depth)
        self.horizon = horizon
        self.head = nn.Linear(settings.dim, 2 * horizon)

    def forward(self, tracks: Tensor, raster: Optional[Tensor] = None) -> Tensor:
        tokens = self.tracks(tracks)
        agents = tokens.shape[1]
        if self.map is not None and raster is not None:
            context = self.map(raster).unsqueeze(1)
            tokens = torch.cat([tokens, context], dim=1)
        tokens = self.mixer(tokens)[:, :agents]
        return self.head(tokens).unflatten(-1, (self.horizon, 2))


def min_ade(pred: Tensor, target: Tensor) -> Tensor:
    return (pred - target).norm(dim=-1).mean(dim=-1).mean()


def build(name: str) -> Forecaster:
    return Forecaster(PRESETS[name])


def main() -> None:
    model = build("global")
    tracks, raster = torch.randn(2, 5, 10, 4), torch.rand(2, 3, 40, 40)
    loss = min_ade(model(tracks, raster), torch.zeros(2, 5, 6, 2))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
