"""Arguments that are records, lists and choices."""

import enum
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypedDict

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

import shapecheck


class Points(NamedTuple):
    xyz: Float[Tensor, "b n 3"]
    features: Float[Tensor, "b n c"]


@dataclass
class Batch:
    image: Float[Tensor, "b 3 h w"]
    label: Int[Tensor, "b"]


@dataclass
class Output:
    logits: Float[Tensor, "b classes"]
    loss: Float[Tensor, ""]


class PointNet(nn.Module):
    def __init__(self, c: int = 5, out: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(3 + c, out)

    def forward(self, points: Points) -> Float[Tensor, "b out"]:
        return self.fc(torch.cat([points.xyz, points.features], dim=-1)).amax(1)


class PointNetOrder(nn.Module):
    def __init__(self, c: int = 5, out: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(3 + c, out)

    def forward(self, points: Points) -> Float[Tensor, "b out"]:
        return self.fc(torch.cat([points.xyz, points.features], dim=-1)).amax(0)  # planted: shape-mismatch


class Classifier(nn.Module):
    def __init__(self, classes: int = 6) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, classes)

    def forward(self, batch: Batch) -> Output:
        logits = self.fc(self.conv(batch.image).mean((-2, -1)))
        return Output(logits, nn.functional.cross_entropy(logits, batch.label))


class ClassifierInplace(nn.Module):
    def __init__(self, classes: int = 6) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, classes)

    def forward(self, batch: Batch) -> Output:
        batch.image.sub_(0.5)  # planted: changed-input
        logits = self.fc(self.conv(batch.image).mean((-2, -1)))
        return Output(logits, nn.functional.cross_entropy(logits, batch.label))


class Inputs(TypedDict):
    ids: Int[Tensor, "b t"]
    mask: Bool[Tensor, "b t"]


class Encoder(nn.Module):  # unbuilt
    def __init__(self, vocab: int = 30, dim: int = 8) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)

    def forward(self, inputs: Inputs) -> Float[Tensor, "b dim"]:
        x = self.emb(inputs["ids"]) * inputs["mask"].unsqueeze(-1)
        return x.sum(1)


class Fusion(nn.Module):
    """Maps by name, all of one shape."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, maps: dict[str, Float[Tensor, "b dim"]]) -> dict[str, Float[Tensor, "b dim"]]:
        return {name: self.fc(one) for name, one in maps.items()}


class FusionKey(nn.Module):
    """Gives one wrong result of two."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, maps: dict[str, Float[Tensor, "b dim"]]) -> dict[str, Float[Tensor, "b dim"]]:
        found = {name: self.fc(one) for name, one in maps.items()}
        found["sum"] = torch.stack(list(found.values())).sum(-1)
        return found  # planted: shape-mismatch


class Pool(enum.Enum):
    MEAN = "mean"
    MAX = "max"


class Pooling(nn.Module):
    """Switches in forward."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(
        self,
        x: Float[Tensor, "b t dim"],
        pool: Pool,
        mode: Literal["sum", "none"],
        steps: int,
        scale: float,
        keep: bool = False,
    ) -> Float[Tensor, "b dim"]:
        for _ in range(steps):
            x = self.fc(x)
        x = x.mean(1) if pool is Pool.MEAN else x.amax(1)
        return x * scale if mode == "sum" else x


class PoolingKeep(nn.Module):
    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], pool: Pool, steps: int) -> Float[Tensor, "b dim"]:
        for _ in range(steps):
            x = self.fc(x)
        if pool is Pool.MEAN:
            return x.mean(1, keepdim=True)  # planted: shape-mismatch
        return x.amax(1)


@dataclass
class Config:
    vocab_size: int = 33
    hidden_size: int = 24
    num_heads: int = 3
    dropout: float = 0.1
    layers: list[int] = field(default_factory=lambda: [2, 2])


class Configured(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.emb = nn.Embedding(config.vocab_size, config.hidden_size)
        self.drop = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(nn.Linear(config.hidden_size, config.hidden_size) for _ in config.layers)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t {self.config.hidden_size}"]:
        x = self.drop(self.emb(ids))
        for layer in self.layers:
            x = x + layer(x)
        return x


class ConfiguredLast(nn.Module):
    """The last layer has no use."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.emb = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(  # planted: missing-gradient
            nn.Linear(config.hidden_size, config.hidden_size) for _ in config.layers
        )

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t {self.config.hidden_size}"]:
        x = self.emb(ids)
        for layer in self.layers[:-1]:
            x = x + layer(x)
        return x


class Widths(nn.Module):
    """Sizes as class attributes."""

    width = 12
    depth = 2

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(*(nn.Linear(self.width, self.width) for _ in range(self.depth)))

    def forward(self, x: Float[Tensor, "... width"]) -> Float[Tensor, "... width"]:
        return self.layers(x)


class WidthsFlat(nn.Module):
    width = 12

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(self.width, self.width)

    def forward(self, x: Float[Tensor, "... width"]) -> Float[Tensor, "... width"]:
        return self.layer(x.flatten(0, -2))  # planted: shape-mismatch


class Needs(nn.Module):  # unbuilt
    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.fc = nn.Linear(d_in, d_out)

    def forward(self, x: Float[Tensor, "b d_in"]) -> Float[Tensor, "b d_out"]:
        return self.fc(x)


def needs_small() -> Needs:
    return Needs(6, 4)


@shapecheck.case(dims={"t": 8}, kwargs={"dim": 12})
class Declared(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.pos = nn.Parameter(torch.zeros(8, dim))

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        return x + self.pos


@shapecheck.case(kwargs={"dim": 12}, label="small")
@shapecheck.case(kwargs={"dim": 36}, label="large")
class DeclaredWrong(nn.Module):
    """Twelve heads' width stands in the code."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        return self.fc(x).view(x.shape[0], -1, 7)  # planted: shape-mismatch


class TwoTowers(nn.Module):
    """Several runs and broadcast axes."""

    def __init__(self, d: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(
        self, x: Float[Tensor, "*batch n d"], y: Float[Tensor, "*batch m d"], bias: Float[Tensor, "*#batch n #m"]
    ) -> Float[Tensor, "*batch n m"]:
        return self.fc(x) @ y.transpose(-1, -2) + bias


class TwoTowersNorm(nn.Module):
    """Broadcast along the wrong axis."""

    def __init__(self, d: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x: Float[Tensor, "*batch n d"], y: Float[Tensor, "*batch m d"]) -> Float[Tensor, "*batch n m"]:
        scores = self.fc(x) @ y.transpose(-1, -2)
        return scores / y.norm(dim=-1, keepdim=True)  # planted: shape-mismatch


class Pyramid(nn.Module):
    """A pair of maps, one twice as large."""

    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, channels, 2, 2)

    def forward(
        self, maps: tuple[Float[Tensor, "b channels h w"], Float[Tensor, "b channels 2*h 2*w"]]
    ) -> Float[Tensor, "b channels 2*h 2*w"]:
        small, large = maps
        return self.up(small) + large


class PyramidSwapped(nn.Module):
    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, channels, 2, 2)

    def forward(
        self, maps: tuple[Float[Tensor, "b channels h w"], Float[Tensor, "b channels 2*h 2*w"]]
    ) -> Float[Tensor, "b channels 2*h 2*w"]:
        large, small = maps
        return self.up(small) + large  # planted: shape-mismatch


class Sums(nn.Module):
    """As many tensors as the caller likes."""

    def __init__(self, dim: int = 5) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, *xs: Float[Tensor, "b dim"], **more: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(sum([*xs, *more.values()]))


class Outer(nn.Module):
    """The fault lies in an inner module of the program, which says what it gives."""

    class Inner(nn.Module):
        def __init__(self, dim: int = 5) -> None:
            super().__init__()
            self.fc = nn.Linear(dim, dim)

        def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
            return self.fc(x).T  # planted: shape-mismatch

    def __init__(self, dim: int = 5) -> None:
        super().__init__()
        self.inner = self.Inner(dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.inner(x).T


class Tagger(nn.Module):
    """The loss takes the time for the classes, of which there are more than times: no call with labels works."""

    def __init__(self, words: int = 50, dim: int = 6, classes: int = 70, times: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, dim)
        self.place = nn.Embedding(times, dim)
        self.head = nn.Linear(dim, classes)

    def forward(
        self, words: Int[Tensor, "b t"], labels: Int[Tensor, "b t"] | None = None
    ) -> tuple[Float[Tensor, "b t classes"], Float[Tensor, ""] | None]:
        scores = self.head(self.embed(words) + self.place(torch.arange(words.shape[1], device=words.device)))
        if labels is None:
            return scores, None
        return scores, nn.functional.cross_entropy(scores, labels)  # planted: shape-mismatch


class WordsAlone(nn.Module):
    """Has a parameter for the sake of others, and says so."""

    def __init__(self, words: int = 50, dim: int = 6) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, dim)

    def forward(
        self, words: Int[Tensor, "b t"], vectors: Float[Tensor, "b t dim"] | None = None
    ) -> Float[Tensor, "b t dim"]:
        if vectors is not None:
            raise ValueError("this model takes words")
        return self.embed(words)


class Recalls(nn.Module):
    """A weight for each of the keys is of use with the keys alone; and both or neither come with a mask."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(
        self,
        x: Float[Tensor, "b dim"],
        keys: Float[Tensor, "n dim"] | None = None,
        weights: Float[Tensor, "n"] | None = None,
        mask: Bool[Tensor, "b n"] | None = None,
    ) -> Float[Tensor, "b dim"]:
        x = self.fc(x)
        if mask is not None and keys is not None:
            raise ValueError("the mask is for calls without keys")
        if weights is not None:
            return x + ((x @ keys.T) * weights) @ keys
        return x
