"""The cost of a checked call, compared with jaxtyping with beartype and with a handwritten closure.

python -m benchmarks.runtime [--rounds N] [--save]

Targets: the added cost of a signature with three parameters and a result is at most 1/20 of jaxtyped(beartype)'s and at
most 1.3 times that of a closure; a transformer of 6 blocks (d=256, T=8) with 30 checked calls within 2 % of unchecked;
compiled models have the same number of graphs, and their speed within 2 %.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter_ns
from typing import Any

import torch
import torch._dynamo.testing
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn
from torch.nn import functional

from benchmarks import store
from benchmarks.ratios import Ratio
from shapecheck import checked

OF_JAXTYPING, OF_CLOSURE, MODEL, COMPILED = 1 / 20, 1.3, 1.02, 1.02
CALLS = 2_000
_PACKAGES = ("torch", "jaxtyping", "beartype")


def three(q: Float[Tensor, "b t c"], k: Float[Tensor, "b t c"], v: Float[Tensor, "b t c"]) -> Float[Tensor, "b t c"]:
    return q


_FLOATS = frozenset((torch.float16, torch.bfloat16, torch.float32, torch.float64))


def by_hand(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """What a careful person writes who has only this signature to check."""

    @functools.wraps(function)
    def checking(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        if not isinstance(q, Tensor) or q.dtype not in _FLOATS or len(q.shape) != 3:
            raise TypeError("q")
        b, t, c = q.shape
        if not isinstance(k, Tensor) or k.dtype not in _FLOATS or k.shape != (b, t, c):
            raise TypeError("k")
        if not isinstance(v, Tensor) or v.dtype not in _FLOATS or v.shape != (b, t, c):
            raise TypeError("v")
        result = function(q, k, v)
        if not isinstance(result, Tensor) or result.dtype not in _FLOATS or result.shape != (b, t, c):
            raise TypeError("result")
        return result

    return checking


def attention(q: Float[Tensor, "b h t d"], k: Float[Tensor, "b h s d"], v: Float[Tensor, "b h s d"]) -> Float[Tensor, "b h t d"]:  # noqa: E501 # fmt: skip
    return functional.scaled_dot_product_attention(q, k, v)


Decorator = Callable[[Any], Any]


class Layers:
    """The classes of a small transformer, decorated: five checked calls a block."""

    def __init__(self, check: Decorator) -> None:
        attend = check(attention)

        class Projection(nn.Linear):
            @check
            def forward(self, x: Float[Tensor, "b t {self.in_features}"]) -> Float[Tensor, "b t {self.out_features}"]:
                return functional.linear(x, self.weight, self.bias)

        class Attention(nn.Module):
            def __init__(self, d: int, heads: int) -> None:
                super().__init__()
                self.heads = heads
                self.into = Projection(d, 3 * d)
                self.out = nn.Linear(d, d)

            @check
            def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
                b, t, d = x.shape
                q, k, v = self.into(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
                return self.out(attend(q, k, v).transpose(1, 2).reshape(b, t, d))  # type: ignore[no-any-return]

        class Feed(nn.Module):
            def __init__(self, d: int) -> None:
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

            @check
            def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
                return self.layers(x)  # type: ignore[no-any-return]

        class Block(nn.Module):
            def __init__(self, d: int) -> None:
                super().__init__()
                self.first, self.second = nn.LayerNorm(d), nn.LayerNorm(d)
                self.attention, self.feed = Attention(d, 4), Feed(d)

            @check
            def forward(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
                x = x + self.attention(self.first(x))
                return x + self.feed(self.second(x))  # type: ignore[no-any-return]

        self.block = Block

    def model(self) -> nn.Module:
        torch.manual_seed(0)
        return nn.Sequential(*(self.block(256) for _ in range(6))).eval()


def pair(ours_first: bool = False) -> tuple[nn.Module, nn.Module]:
    """The model without checks and with them, on the same weights in memory.

    Which one is made first changes its speed by a per cent.
    """
    if ours_first:
        ours, plain = Layers(checked).model(), Layers(_unchecked).model()
    else:
        plain, ours = Layers(_unchecked).model(), Layers(checked).model()
    ours.load_state_dict(plain.state_dict(), assign=True)
    return plain, ours


def _unchecked(function: Any) -> Any:
    return function


def nanoseconds(function: Callable[[], object], calls: int) -> float:
    began = perf_counter_ns()
    for _ in range(calls):
        function()
    return (perf_counter_ns() - began) / calls


def medians(contestants: Mapping[str, Callable[[], object]], calls: int, rounds: int) -> dict[str, float]:
    """Of each contestant, all of them in turn in every round."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            times[name].append(nanoseconds(contestant, calls))
    return {name: median(found) for name, found in times.items()}


def ratio(first: Callable[[], object], second: Callable[[], object], calls: int, rounds: int) -> float:
    """How much longer `first` takes: the fastest of many turns of each, because whatever else runs only adds."""
    best = {first: float("inf"), second: float("inf")}
    for _ in range(rounds):
        for function, fastest in best.items():
            best[function] = min(fastest, nanoseconds(function, calls))
    return best[first] / best[second]


def signature(rounds: int) -> tuple[dict[str, float], float, float]:
    x = torch.zeros(2, 3, 4)
    forms = {
        "undecorated": three,
        "closure": by_hand(three),
        "shapecheck": checked(three),
        "jaxtyped(beartype)": jaxtyped(typechecker=beartype)(three),
    }
    found = medians({name: functools.partial(form, x, x, x) for name, form in forms.items()}, CALLS, rounds)
    added = {name: time - found["undecorated"] for name, time in found.items()}
    return found, added["shapecheck"] / added["jaxtyped(beartype)"], added["shapecheck"] / added["closure"]


def eager(rounds: int) -> float:
    x = torch.randn(1, 8, 256)
    found = []
    with torch.no_grad():
        for turn in range(6):
            plain, ours = pair(bool(turn % 2))
            found.append(ratio(functools.partial(ours, x), functools.partial(plain, x), 1, rounds * 20))
    return median(found)


def compiled(rounds: int) -> tuple[int, int, float]:
    """Graphs without and with checks, and how much longer the compiled model takes with them."""
    forms, counts = [], []
    x = torch.randn(1, 8, 256)
    with torch.no_grad():
        models = pair()
        for model in models:
            torch._dynamo.reset()
            count = torch._dynamo.testing.CompileCounter()
            torch.compile(model, backend=count, fullgraph=True)(x)
            counts.append(count.frame_count)
        torch._dynamo.reset()
        for model in models:
            compiled_model = torch.compile(model, backend="aot_eager", fullgraph=True)
            compiled_model(x)
            forms.append(functools.partial(compiled_model, x))
        plain, ours = forms
        return counts[0], counts[1], ratio(ours, plain, 1, rounds * 80)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=15)
    store.add_option(options)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    times, of_jaxtyping, of_closure = signature(chosen.rounds)
    for name, time in times.items():
        print(f"{name:20} {time / 1e3:7.2f} us a call")
    model = eager(chosen.rounds)
    graphs_plain, graphs_ours, speed = compiled(chosen.rounds)
    ratios = [
        Ratio("added cost of a checked call, relative to jaxtyped(beartype)", of_jaxtyping, OF_JAXTYPING),
        Ratio("added cost of a checked call, relative to a handwritten closure", of_closure, OF_CLOSURE),
        Ratio("transformer with 30 checked calls, relative to unchecked", model, MODEL),
        Ratio("the same, compiled", speed, COMPILED),
        Ratio("graphs of torch.compile(fullgraph=True)", graphs_ours, graphs_plain),
    ]
    print(*(one.line() for one in ratios), sep="\n")
    store.keep(chosen.save, "runtime", {"ns a call": times, "graphs without checks": graphs_plain}, _PACKAGES, ratios)


if __name__ == "__main__":
    main()
