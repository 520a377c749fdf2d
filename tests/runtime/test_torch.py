"""The PyTorch features that work with checked functions: docs/runtime.md shows TABLE, one test in each row."""

from __future__ import annotations

import copy
import gc
import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import torch
import torch._dynamo.testing
import torch.distributed as dist
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils.checkpoint import checkpoint

from shapecheck import ChannelsLast, Contiguous, ShapeError, checked
from tests.versions import TORCH

PAGE = Path(__file__).resolve().parents[2] / "docs" / "runtime.md"


def t(*shape: int) -> Tensor:
    return torch.ones(shape)


def scores(q: Float[Tensor, "b t d"], k: Float[Tensor, "b s d"]) -> Float[Tensor, "b t s"]:
    return (q @ k.mT).softmax(-1)


checked_scores = checked(scores)


class Block(nn.Module):
    def __init__(self, dim: int = 4) -> None:
        super().__init__()
        self.dim = dim
        self.fc = nn.Linear(dim, dim)

    @checked
    def forward(
        self, x: Float[Tensor, "*batch {self.dim}"], mask: Float[Tensor, "*#batch"] | None = None
    ) -> Float[Tensor, "*batch {self.dim}"]:
        y = self.fc(x)
        return y if mask is None else y * mask[..., None]


class Wrong(Block):
    @checked
    def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b 2*d"]:
        return self.fc(x)  # type: ignore[no-any-return]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])

    @checked
    def forward(self, x: Float[Tensor, "b 4"]) -> Float[Tensor, "b 4"]:
        for block in self.blocks:
            x = x + block(x)
        return x


def graphs(function: Callable[..., Any], *calls: tuple[Any, ...]) -> list[int]:
    """The number of graphs after each call of the compiled function."""
    torch._dynamo.reset()
    count = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(function, backend=count, fullgraph=True)
    found = []
    for arguments in calls:
        compiled(*arguments)
        found.append(count.frame_count)
    return found


def compile_fullgraph() -> None:
    calls = [(t(2, 3, 4), t(2, 5, 4)), (t(2, 7, 4), t(2, 5, 4)), (t(2, 8, 4), t(2, 6, 4)), (t(3, 9, 4), t(3, 9, 4))]
    assert graphs(checked_scores, *calls) == graphs(scores, *calls)
    assert torch._dynamo.explain(checked_scores)(*calls[0]).graph_break_count == 0


def compile_module() -> None:
    torch._dynamo.reset()
    model = Model()
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    for size in (2, 3, 5):
        assert torch.equal(compiled(t(size, 4)), model(t(size, 4)))


def compile_locals_and_containers() -> None:
    @checked
    def f(xs: list[Float[Tensor, "b _"]], more: dict[str, Float[Tensor, "b"]]) -> Float[Tensor, "b d"]:
        y: Float[Tensor, "b d"] = torch.cat(xs, 1)
        assert isinstance(y, Float[Tensor, "b d"])
        return y + more["a"][:, None]

    assert graphs(f, ([t(2, 3), t(2, 4)], {"a": t(2)})) == [1]


def compile_questions() -> None:
    if TORCH < (2, 8):
        pytest.skip("Dynamo of torch 2.4 breaks the graph at an exception")

    @checked
    def asks(x: Float[Tensor, "b d"], y: Tensor) -> Tensor:
        z: Float[Tensor, "2*b d"] = torch.cat([x, x])
        return z if isinstance(y, Float[Tensor, "d b"]) else y

    assert graphs(asks, (t(2, 3), t(2, 5))) == [1]


def compile_plain_parameters() -> None:
    @checked
    def f(
        x: Float[Tensor, "b d"],
        size: int | None,
        names: list[str],
        way: Literal["sum", "mean"],
        act: Callable[[Tensor], Tensor],
        pair: tuple[int, float] | int,
        more: dict[str, int],
        device: torch.device | str = "cpu",
    ) -> Float[Tensor, "b d"]:
        return act(x)

    assert graphs(f, (t(2, 3), None, ["a"], "sum", torch.relu, (1, 2.0), {"a": 1})) == [1]
    with pytest.raises(ShapeError, match=r'expected Literal.*, got str "max"'):
        f(t(2, 3), None, [], "max", torch.relu, 1, {})  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match=r'\(pair\): expected tuple\[int, float\] \| int, got str "x"'):
        f(t(2, 3), None, [], "sum", torch.relu, "x", {})  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match=r"\(names\[0\]\): expected str, got int 3"):
        f(t(2, 3), None, [3], "sum", torch.relu, 1, {})  # type: ignore[list-item]


@checked
@dataclass
class Inputs:
    x: Float[Tensor, "b d"]
    y: Float[Tensor, "b"]


def compile_records() -> None:
    @checked
    def f(inputs: Inputs, w: Float[Tensor, "d"]) -> Float[Tensor, "b d"]:
        return inputs.x * w + inputs.y[:, None]

    def made(x: Tensor, w: Tensor) -> Tensor:
        return f(Inputs(x, x[:, 0]), w)

    assert graphs(f, (Inputs(t(2, 3), t(2)), t(3))) == [1]
    assert graphs(made, (t(2, 3), t(3))) == [1]


def compile_violation() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(checked_scores, backend="eager")
    compiled(t(2, 3, 4), t(2, 5, 4))
    with pytest.raises(ShapeError, match=r'expected dimension 2 \("d"\) to be 4, got 5'):
        compiled(t(2, 3, 4), t(2, 5, 5))
    with pytest.raises(ShapeError, match="return"):
        torch.compile(Wrong(), backend="eager")(t(2, 4))
    torch._dynamo.reset()
    said = "raise Mismatch" if TORCH < (2, 8) else "a value does not match its annotation"
    with pytest.raises(torch._dynamo.exc.Unsupported, match=said):
        torch.compile(Wrong(), backend="eager", fullgraph=True)(t(2, 4))


def export(strict: bool) -> Callable[[], None]:
    def test() -> None:
        torch._dynamo.reset()
        batch = torch.export.Dim("batch", min=2)
        program = torch.export.export(Model(), (t(3, 4),), dynamic_shapes=({0: batch},), strict=strict)
        assert program.module()(t(7, 4)).shape == (7, 4)
        with pytest.raises(ShapeError):
            torch.export.export(Wrong(), (t(3, 4),), strict=False)

    return test


def vmap() -> None:
    assert torch.func.vmap(checked_scores)(t(9, 2, 3, 4), t(9, 2, 5, 4)).shape == (9, 2, 3, 5)
    with pytest.raises(ShapeError, match=r"expected 3 dimensions .*, got 2"):
        torch.func.vmap(checked_scores)(t(2, 3, 4), t(2, 5, 4))


def grad() -> None:
    @checked
    def loss(x: Float[Tensor, "n"]) -> Float[Tensor, ""]:
        return (x**2).sum()

    assert torch.func.grad(loss)(t(3)).tolist() == [2.0] * 3
    assert torch.func.vmap(torch.func.grad(loss))(t(2, 3)).shape == (2, 3)
    assert torch.func.jacrev(loss)(t(3)).shape == (3,)
    x = t(3).requires_grad_()
    loss(x).backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None


def checkpointed() -> None:
    for reentrant in (True, False):
        x = t(2, 4).requires_grad_()
        checkpoint(Block(), x, use_reentrant=reentrant).sum().backward()  # type: ignore[no-untyped-call]
        assert x.grad is not None


@pytest.fixture(scope="module")
def process_group(tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = dist.FileStore(str(tmp_path_factory.mktemp("store") / "file"), 1)
    dist.init_process_group("gloo", store=store, rank=0, world_size=1)
    yield
    gc.collect()  # a reducer with the last reference to the group can deadlock in its destructor
    dist.destroy_process_group()


def ddp() -> None:
    model = nn.parallel.DistributedDataParallel(Model())
    model(t(2, 4)).sum().backward()
    with pytest.raises(ShapeError):
        model(t(2, 5))


def fsdp() -> None:
    if TORCH < (2, 6):
        pytest.skip("torch before 2.6 has no fully_shard that runs on the CPU")
    from torch.distributed.device_mesh import init_device_mesh  # noqa: PLC0415
    from torch.distributed.fsdp import fully_shard  # noqa: PLC0415

    model = Model()
    mesh = init_device_mesh("cpu", (1,))
    for block in model.blocks:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    model(t(2, 4)).sum().backward()
    with pytest.raises(ShapeError):
        model(t(2, 5))


def fake_tensors() -> None:
    with FakeTensorMode():
        assert checked_scores(torch.empty(2, 3, 4), torch.empty(2, 5, 4)).shape == (2, 3, 5)
        with pytest.raises(ShapeError):
            checked_scores(torch.empty(2, 3, 4), torch.empty(2, 5, 5))


def meta() -> None:
    model = Model().to("meta")
    assert model(torch.empty(2, 4, device="meta")).shape == (2, 4)
    with pytest.raises(ShapeError):
        model(torch.empty(2, 5, device="meta"))


class Own(Tensor):
    pass


class Logged(Tensor):
    """A wrapper subclass: operators on it are dispatched in Python."""

    @staticmethod
    def __new__(cls, inner: Tensor) -> Any:
        return Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)  # type: ignore[attr-defined]

    def __init__(self, inner: Tensor) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = function(*(arg.inner if isinstance(arg, cls) else arg for arg in args), **(kwargs or {}))
        return cls(made) if isinstance(made, Tensor) else made


def subclasses() -> None:
    own = t(2, 3, 4).as_subclass(Own)
    assert isinstance(checked_scores(own, t(2, 5, 4)), Own)
    with pytest.raises(ShapeError):
        checked_scores(own, t(2, 5, 5))
    assert isinstance(checked_scores(Logged(t(2, 3, 4)), Logged(t(2, 5, 4))), Logged)
    assert checked(_one_axis)(nn.Parameter(t(3))).shape == (3,)


def _one_axis(x: Float[Tensor, "n"]) -> Float[Tensor, "n"]:
    return x


def fx_trace() -> None:
    traced = torch.fx.symbolic_trace(Model())
    assert torch.equal(traced(t(2, 4)).isfinite(), t(2, 4).bool())


def proxy_tensors() -> None:
    for mode in ("real", "fake", "symbolic"):
        graph = make_fx(checked_scores, tracing_mode=mode)(t(2, 3, 4), t(2, 5, 4))
        assert graph(t(2, 3, 4), t(2, 5, 4)).shape == (2, 3, 5)


def jit_trace() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(Model(), (t(2, 4),))  # type: ignore[no-untyped-call]
    assert traced(t(5, 4)).shape == (5, 4)


def nested_tensors() -> None:
    parts = [t(2, 4), t(3, 4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for layout in (torch.strided, torch.jagged):
            nested = torch.nested.nested_tensor(parts, layout=layout)
            assert checked(_three_axes)(nested) is nested


def _three_axes(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
    return x


def sparse_tensors() -> None:
    sparse = t(2, 3).to_sparse()

    @checked
    def f(x: Float[Tensor, "n m"], y: Annotated[Float[Tensor, "n m"], Contiguous]) -> None: ...

    f(sparse, sparse)
    f(sparse, t(2, 3))
    with pytest.raises(ShapeError):
        f(sparse, t(2, 4))


def layouts() -> None:
    @checked
    def f(x: Annotated[Float[Tensor, "b c h w"], ChannelsLast]) -> Annotated[Float[Tensor, "b c h w"], ChannelsLast]:
        return x + 1 if len(x) < 3 else x.contiguous()

    def nhwc(b: int) -> Tensor:
        return t(b, 3, 5, 7).to(memory_format=torch.channels_last)

    f(nhwc(2))
    with pytest.raises(ShapeError):
        f(nhwc(2).contiguous())
    with pytest.raises(ShapeError):
        f(nhwc(3))
    assert graphs(f, (nhwc(2),)) == [1]


def copies() -> None:
    model = copy.deepcopy(Model())
    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    again = torch.load(buffer, weights_only=False)
    assert torch.equal(again(t(2, 4)), model(t(2, 4)))


def lying_objects() -> None:
    class Liar(Tensor):
        shape = property(lambda self: 1 / 0)  # type: ignore[assignment]

    class Stranger(Tensor):
        shape = property(lambda self: "abc")  # type: ignore[assignment]

    class Nothing:
        dtype = torch.float32
        shape = (2,)

        def __class__(self) -> Any:  # type: ignore[override]
            raise RuntimeError

    f = checked(_one_axis)
    liar = t(3).as_subclass(Liar)
    assert f(liar) is liar
    for value in (t(3).as_subclass(Stranger), Nothing()):
        with pytest.raises(ShapeError):
            f(value)


def under_autocast() -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert Model()(t(2, 4)).shape == (2, 4)


def hooks() -> None:
    model, seen = Model(), []
    model.register_forward_hook(lambda module, args, result: seen.append(result.shape))
    model(t(2, 4))
    assert seen == [(2, 4)]


def other_dtypes() -> None:
    @checked
    def f(x: Int[Tensor, "n"], y: Float[Tensor, "n"]) -> None: ...

    f(t(2).long(), t(2).bfloat16())
    f(t(2).int(), t(2).to(torch.float8_e5m2))
    with pytest.raises(ShapeError, match=r"expected a signed integer dtype \(Int\), got torch\.bool"):
        f(t(2).bool(), t(2))


TABLE: list[tuple[str, str, Callable[[], None]]] = [
    ("torch.compile", "no graph breaks and no more graphs, also with dynamic sizes", compile_fullgraph),
    ("torch.compile of modules", "methods are compiled with the module", compile_module),
    ("torch.compile with locals, isinstance, lists", "one graph", compile_locals_and_containers),
    ("torch.compile with isinstance that is false", "one graph; several in torch 2.4", compile_questions),
    ("torch.compile with other parameters", "numbers, unions, lists, functions, literals", compile_plain_parameters),
    ("torch.compile with dataclasses", "as arguments, and created in the function", compile_records),
    ("a violation under torch.compile", "`ShapeError`; `Unsupported` with `fullgraph=True`", compile_violation),
    ("torch.export, strict", "with dynamic shapes", export(True)),
    ("torch.export, non-strict", "with dynamic shapes", export(False)),
    ("torch.func.vmap", "annotations describe the shapes inside the vmap", vmap),
    ("autograd, torch.func.grad, jacrev", "", grad),
    ("checkpoint", "reentrant or not", checkpointed),
    ("DistributedDataParallel", "", ddp),
    ("FSDP2 (fully_shard)", "", fsdp),
    ("FakeTensor", "", fake_tensors),
    ("meta tensors", "", meta),
    ("tensor subclasses", "also wrapper subclasses, `Parameter`", subclasses),
    ("torch.fx.symbolic_trace", "proxies are not checked", fx_trace),
    ("make_fx", "real, fake, symbolic", proxy_tensors),
    ("torch.jit.trace", "with the `TracerWarning` of all code that compares sizes", jit_trace),
    ("nested tensors", "not checked if they have no shape", nested_tensors),
    ("sparse tensors", "shape and dtype, not the layout", sparse_tensors),
    ("channels_last, contiguous", "also under `torch.compile`", layouts),
    ("deepcopy, torch.save of models", "", copies),
    ("tensors with a wrong `shape` attribute", "not checked if it cannot be read", lying_objects),
    ("autocast", "", under_autocast),
    ("forward hooks", "", hooks),
    ("all dtypes of torch", "as in the classes of jaxtyping", other_dtypes),
]  # fmt: skip


@pytest.mark.parametrize("test", [row[2] for row in TABLE], ids=[row[0] for row in TABLE])
def test_it_works_with(test: Callable[[], None], process_group: None) -> None:
    test()


def test_the_page_shows_the_table() -> None:
    section = PAGE.read_text().split("## Works with")[1].split("\n## ")[0]
    shown = re.findall(r"^\| (?!works with|-)(.+?) \| (.*?) ?\|$", section, re.MULTILINE)
    assert shown == [(name, note) for name, note, _ in TABLE]
