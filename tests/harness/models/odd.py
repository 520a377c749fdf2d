"""Modules that are unlike others."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

import shapecheck


class NoParameters(nn.Module):
    def forward(self, x: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        return x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)


class NoParametersRandom(nn.Module):
    """Python's own random numbers, which are seeded, too."""

    def forward(self, x: Float[Tensor, "b n"]) -> Float[Tensor, "b n"]:
        return x * random.random()


class Lazy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.LazyConv2d(8, 3, padding=1)
        self.fc = nn.LazyLinear(4)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 4"]:
        return self.fc(self.conv(x).mean((2, 3)))


class GivesDict(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"], verbose: bool = False) -> dict[str, Any]:
        y = self.fc(x)
        return {"logits": y, "name": "model", "nothing": None, "parts": [y, (y, 3)]}


class GivesNone(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(dim))

    def forward(self, x: Float[Tensor, "b dim"]) -> None:
        self.total += x.sum(0)


class Running(nn.Module):
    """Statistics in buffers, as BatchNorm keeps them."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        if self.training:
            self.count += 1
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.mean


class Normed(nn.Module):
    """Parametrised weights."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.one = weight_norm(nn.Linear(dim, dim))
        self.two = spectral_norm(nn.Linear(dim, dim))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.two(F.gelu(self.one(x)))


class Tied(nn.Module):
    def __init__(self, vocab: int = 30, dim: int = 8) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, vocab, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocab"]:
        return self.out(self.emb(ids))


class TiedWrong(nn.Module):
    def __init__(self, vocab: int = 30, dim: int = 8) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocab"]:
        return self.emb(ids) @ self.emb.weight  # planted: shape-mismatch


class Tree(nn.Module):
    """Holds others of its own class."""

    def __init__(self, dim: int = 6, depth: int = 2) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.child = Tree(dim, depth - 1) if depth else None

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        x = self.fc(x)
        return x if self.child is None else self.child(x)


class NoGrad(nn.Module):
    """An average of teacher's weights: forward is not to be trained."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    @torch.no_grad()
    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Frozen(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.backbone = nn.Linear(dim, dim).requires_grad_(False)
        self.head = nn.Linear(dim, 2)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b 2"]:
        with torch.no_grad():
            x = self.backbone(x)
        return self.head(x)


class StopGradient(nn.Module):
    """Detaches a copy on purpose; every parameter is trained all the same."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.online = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        y = self.online(x)
        return y - y.detach().mean(1, keepdim=True)


class Refuses(nn.Module):
    """No copies."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError("this model cannot be copied")

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Raising(nn.Module):
    """Attributes that raise when they are looked at."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    @property
    def dim(self) -> int:
        raise RuntimeError("not yet")

    @property
    def config(self) -> int:
        raise ValueError("no config")

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Generator(nn.Module):
    """Yields; what it gives is not a tensor."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Iterator[Float[Tensor, "b dim"]]:
        for _ in range(3):
            x = self.fc(x)
            yield x


class Awaited(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    async def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Counted(nn.Module):
    """Counts its calls, which changes nothing."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.calls = 0

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        self.calls += 1
        return self.fc(x)


class CountedInto(nn.Module):
    """The number of the call goes into the result."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.calls = 0

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        self.calls += 1
        return self.fc(x) * self.calls  # planted: not-deterministic


class Integer(nn.Module):
    """Nothing to differentiate."""

    def __init__(self, dim: int = 6, classes: int = 4) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, classes)

    def forward(self, x: Float[Tensor, "b dim"]) -> Int[Tensor, "b"]:
        return self.fc(x).argmax(-1)


class Synced(nn.Module):
    """Looks at a number: slow on a GPU, and no fault."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"], mask: Bool[Tensor, "b"]) -> Float[Tensor, "b dim"]:
        y = self.fc(x)
        if mask.sum().item() > 10_000:
            y = y * 2
        return y


class AutocastClash(nn.Module):
    """Under autocast the product is bfloat16 and the table float32."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.table = nn.Parameter(torch.zeros(4, dim))

    def forward(self, x: Float[Tensor, "b dim"], slot: Int[Tensor, "b"]) -> Float[Tensor, "4 dim"]:
        return self.table.index_add(0, slot % 4, self.fc(x))  # planted: dtype-mismatch


class AutocastSafe(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.table = nn.Parameter(torch.zeros(4, dim))

    def forward(self, x: Float[Tensor, "b dim"], slot: Int[Tensor, "b"]) -> Float[Tensor, "4 dim"]:
        y = self.fc(x)
        return self.table.index_add(0, slot % 4, y.to(self.table.dtype))


class LayoutDependent(nn.Module):
    """Reads the memory as it lies."""

    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h w"]:
        flat = torch.as_strided(x, (x.numel(),), (1,))  # planted: layout-dependence
        return self.conv(flat.view(x.shape))


class Double(nn.Module):
    """float64 weights, on purpose."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim).double()

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Half(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim).to(torch.bfloat16)
        self.norm = nn.LayerNorm(dim).to(torch.bfloat16)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.norm(self.fc(x))


class MiddleReshape(nn.Module):
    """A size that the annotation leaves free stands in the code."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.mix = nn.Linear(10, 10)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        y = self.fc(x).reshape(x.shape[0], 10, -1)
        return self.mix(y.transpose(1, 2)).transpose(1, 2)  # planted: shape-mismatch


class Scale(nn.Module):
    """Not a tensor of the class's own."""

    scale: Tensor

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.scale = torch.ones(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x) * self.scale  # planted: missing-device


class MovedScale(nn.Module):
    """It takes its tensors along by itself."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.scale = [torch.ones(dim)]
        self.fc = nn.Linear(dim, dim)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> nn.Module:
        super()._apply(fn, recurse)
        self.scale = [fn(one) for one in self.scale]
        return self

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x) * self.scale[0]


class MovedAlone(nn.Module):
    """What lies in its part is moved, and what lies in itself is not."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.part = MovedScale(dim)
        self.shift = torch.ones(dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.part(x) + self.shift  # planted: missing-device


class Prompted(nn.Module):
    """What stands for a prompt is trained where there is none."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.nothing = nn.Parameter(torch.zeros(dim))
        self.other = nn.Parameter(torch.zeros(dim))  # planted: missing-gradient

    def forward(self, x: Float[Tensor, "b dim"], prompt: Float[Tensor, "b dim"] | None) -> Float[Tensor, "b dim"]:
        return self.fc(x) + (self.nothing if prompt is None else prompt)


class Measured(nn.Module):
    """Its constructor reads what it has drawn, which no state_dict contains."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = 1 / (1 + self.fc.weight.abs().max().item())  # planted: lost-state

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.scale * self.fc(x)


class MeasuredSet(nn.Module):
    """Its constructor counts the different values of a tensor."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, len((torch.arange(dim) // 2).unique()))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b _"]:
        return self.fc(x)


class PromptNeeded(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"], prompt: Float[Tensor, "b dim"] | None) -> Float[Tensor, "b dim"]:
        return self.fc(x) + prompt  # planted: failed-run


class Dropping(nn.Module):
    """Dropout that knows no eval mode: random, and said so by no seed."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return F.dropout(self.fc(x), 0.5, self.training)


class BatchStatistics(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        y = self.fc(x)
        return (y - y.mean(0)) / (y.var(0, unbiased=False) + 1e-5).sqrt()  # planted: batch-dependence


class Large(nn.Module):
    """Gives very much from very little."""

    def __init__(self, dim: int = 4) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, 64)

    def forward(self, x: Float[Tensor, "b n dim"]) -> Float[Tensor, "b n n n 64"]:
        y = self.fc(x)
        return y[:, :, None, None] + y[:, None, :, None] + y[:, None, None, :]


class SideEffects(nn.Module):
    """Prints and counts when it is made."""

    made = 0

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        type(self).made += 1
        torch.manual_seed(5)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


class Broken(nn.Module):
    """Cannot be made."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, "wide")  # planted: failed-run

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.fc(x)


@shapecheck.case(inputs=lambda sizes: (torch.randn(4, 8), torch.randn(4, 1)))
class Unannotated(nn.Module):
    """Inputs are all that is known of its forward."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(8, 1)

    def forward(self, x, y=None, *, flag=False):  # type: ignore[no-untyped-def]
        return self.fc(x).squeeze(-1) - y  # planted: silent-broadcast
