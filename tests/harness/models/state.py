"""Values that are not finite, weights that are saved, tied or constructed on meta."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

import shapecheck


class Causal(nn.Module):
    """Infinite scores, but each row keeps one that is finite."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        return (q @ k.mT).masked_fill(future, -math.inf).softmax(-1) @ v


class CausalDiagonal(nn.Module):
    """The first position sees nothing."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(0)
        return (q @ k.mT).masked_fill(future, -math.inf).softmax(-1) @ v  # planted: non-finite


class Impossible(nn.Module):
    """Scores of minus infinity are the result."""

    def __init__(self, dim: int = 16, classes: int = 5) -> None:
        super().__init__()
        self.score = nn.Linear(dim, classes)
        self.register_buffer("allowed", torch.arange(classes) > 1)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b classes"]:
        return self.score(x).masked_fill(~self.allowed, -math.inf)


class Distances(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n n"]:
        y = self.fc(x)
        return ((y[:, :, None] - y[:, None]) ** 2).sum(-1).add(1e-6).sqrt()


class DistancesZero(nn.Module):
    """The distance of a point from itself has no derivative."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n n"]:
        y = self.fc(x)
        return ((y[:, :, None] - y[:, None]) ** 2).sum(-1).sqrt()  # planted: non-finite


class LogScale(nn.Module):
    """Takes positive numbers, which its annotation cannot say."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x.log())


class Variance(nn.Module):
    """The variance of one number is not defined."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, 1)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b 1"]:
        y = self.fc(x)
        return y / y.std(1, keepdim=True)  # planted: non-finite


class MaskedMean(nn.Module):
    """No position may be valid, but its caller always has one."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], keep: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        later = keep & (torch.arange(keep.shape[1], device=x.device) == keep.shape[1] - 1)
        return (self.fc(x) * later[..., None]).sum(1) / later.sum(1, keepdim=True)


class Projected(nn.Module):
    """A random matrix that is saved."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.register_buffer("matrix", torch.randn(dim, dim))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x @ self.matrix)


class ProjectedLost(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.register_buffer("matrix", torch.randn(dim, dim), persistent=False)  # planted: lost-state

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x @ self.matrix)


class Rotary(nn.Module):
    """Not saved, but computed again by every constructor."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.register_buffer("scale", torch.arange(dim) / dim, persistent=False)
        self.offsets = torch.linspace(0, 1, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x * self.scale + self.offsets.to(x.device))


@shapecheck.case(skip=["devices"])
class Listed(nn.Module):
    """The layers in the list have no names, so that they do not move to a device either."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.last = nn.Linear(dim, dim)
        self.layers = [nn.Linear(dim, dim) for _ in range(2)]  # planted: lost-state

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.last(x)


class Grown(nn.Module):
    """A buffer that the first call adds."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
        if not hasattr(self, "table"):
            self.register_buffer("table", torch.zeros(16, device=x.device))  # planted: lost-state
        return self.fc(x) + self.table


class Tied(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]:
        return self.head(self.embed(tokens))


class TiedData(nn.Module):
    def __init__(self, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)  # planted: broken-tie
        self.head.weight.data = self.embed.weight.data

    def forward(self, tokens: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocabulary"]:
        return self.head(self.embed(tokens))


class Chunked(nn.Module):
    """Two parameters in one piece of memory, one after the other."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        one, other = torch.randn(2 * dim, dim).chunk(2)
        self.one, self.other = nn.Parameter(one), nn.Parameter(other)

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
        return x @ self.one @ self.other


class Scaled(nn.Module):
    """Can be constructed on meta."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.empty(dim))
        self.register_buffer("places", torch.empty(dim), persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.scale)
        with torch.no_grad():
            self.places.copy_(torch.arange(len(self.places)))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x) * self.scale + self.places


class ScaledOnce(nn.Module):
    """Its table is only computed by the constructor."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.places = nn.Buffer(torch.arange(dim).float(), persistent=False)  # planted: uninitialized-parameter
        self.reset_parameters()

    def reset_parameters(self) -> None:
        self.fc.reset_parameters()

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x) + self.places
