"""At run time a fixed model is the model it was: each probe gives the same on a module and on its fixed twin."""

from __future__ import annotations

import copy
import gc
import importlib.util
import inspect
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from shapecheck.fix.model import FixOptions, Style

from .support import ALL_CODES, fix_text

SOURCE = """\
from typing import Optional

import torch
from torch import Tensor, nn


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return self.down(torch.relu(self.up(x))) * scale


class Masked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mlp = Mlp()

    def forward(self, x: Tensor, *, mask: Optional[Tensor] = None) -> Tensor:
        y = self.mlp(x)
        return y if mask is None else y * mask


class Pair(Mlp):
    def forward(self, x: Tensor, scale: float = 1.0, shift: float = 0.5) -> Tensor:
        return super().forward(x, scale) + shift


class Loose(Mlp):
    def forward(self, x, other=2.0):
        return self.up(x) * other


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Mlp(), Mlp()])
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return self.norm(x)
"""
NAMES = ("Mlp", "Masked", "Pair", "Loose", "Stack")
SCRIPTABLE = ("Mlp", "Stack")
"""Without `super().forward` and keyword-only parameters, which TorchScript cannot compile."""


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, ModuleType]]:
    """The module as written and as fixed, both imported from files."""
    fixed = fix_text(SOURCE)
    assert fixed.count("# shapecheck: from forward") == len(NAMES)
    folder = tmp_path_factory.mktemp("twins")
    modules = []
    for name, text in (("twin_plain", SOURCE), ("twin_fixed", fixed)):
        path = folder / f"{name}.py"
        path.write_text(text)
        modules.append(_import(name, path))
    yield modules[0], modules[1]
    for module in modules:
        del sys.modules[module.__name__]


def _import(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _make(module: ModuleType, name: str) -> nn.Module:
    torch.manual_seed(0)
    model: nn.Module = getattr(module, name)()
    return model.eval()


def _input() -> Tensor:
    return torch.randn(3, 4, generator=torch.Generator().manual_seed(1))


Probe = Callable[[nn.Module], Any]


def _call(model: nn.Module) -> Any:
    return model(_input())


def _train_step(model: nn.Module) -> Any:
    model.train()
    model(_input()).sum().backward()
    return [p.grad for p in model.parameters() if p.grad is not None]


def _keywords(model: nn.Module) -> Any:
    second = [n for n in inspect.signature(model.forward).parameters if n != "x"]
    return [model(x=_input())] + [model(_input(), **{name: torch.tensor(2.0)}) for name in second]


def _pre_hook_with_kwargs(model: nn.Module) -> Any:
    seen: list[Any] = []

    def hook(_: nn.Module, args: Any, kwargs: Any) -> Any:
        seen.append((len(args), sorted(kwargs)))
        return tuple(a * 2 for a in args), {name: value * 2 for name, value in kwargs.items()}

    model.register_forward_pre_hook(hook, with_kwargs=True)
    return [model(_input()), model(x=_input()), seen]


def _forward_hook_with_kwargs(model: nn.Module) -> Any:
    seen: list[Any] = []

    def hook(_: nn.Module, args: Any, kwargs: Any, output: Any) -> Any:
        seen.append((len(args), sorted(kwargs)))
        return output + 1

    model.register_forward_hook(hook, with_kwargs=True)
    return [model(_input()), model(x=_input()), seen]


def _backward_hook(model: nn.Module) -> Any:
    seen: list[Any] = []
    model.register_full_backward_hook(lambda _m, given, got: seen.append((len(given), len(got))))
    model(_input().requires_grad_()).sum().backward()
    return seen


def _compiled(model: nn.Module) -> Any:
    torch._dynamo.reset()
    return torch.compile(model, fullgraph=True, backend="eager")(_input())


def _graph_count(model: nn.Module) -> Any:
    torch._dynamo.reset()
    explained = torch._dynamo.explain(model)(_input())
    return explained.graph_count, explained.graph_break_count, explained.op_count


def _traced(model: nn.Module) -> Any:
    traced = torch.jit.trace(model, (_input(),))
    return traced(_input()), [node.kind() for node in traced.inlined_graph.nodes()]


def _exported(model: nn.Module) -> Any:
    program = torch.export.export(model, (_input(),))
    return program.module()(_input()), program.graph_module.code


def _symbolic(model: nn.Module) -> Any:
    traced = torch.fx.symbolic_trace(model)
    return traced(_input()), traced.code


def _pickled(model: nn.Module) -> Any:
    return pickle.loads(pickle.dumps(model))(_input())


def _saved(model: nn.Module) -> Any:
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)(_input())


def _copied(model: nn.Module) -> Any:
    return copy.deepcopy(model)(_input())


def _state(model: nn.Module) -> Any:
    return list(model.state_dict()), [n for n, _ in model.named_modules()], repr(model)


def _signatures(model: nn.Module) -> Any:
    return [str(inspect.signature(f)) for f in (type(model), model.__call__, model.forward)]


def _members(model: nn.Module) -> Any:
    return sorted(vars(type(model))), sorted(dir(model))


def _is_torchs_call(model: nn.Module) -> Any:
    assert type(model).__call__ is nn.Module.__call__
    return type(model).__call__.__qualname__


PROBES: tuple[Probe, ...] = (
    _call,
    _train_step,
    _keywords,
    _pre_hook_with_kwargs,
    _forward_hook_with_kwargs,
    _backward_hook,
    _compiled,
    _graph_count,
    _traced,
    _exported,
    _symbolic,
    _pickled,
    _saved,
    _copied,
    _state,
    _signatures,
    _members,
    _is_torchs_call,
)


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, Tensor):
        return isinstance(right, Tensor) and torch.equal(left, right)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)


def _outcome(probe: Probe, model: nn.Module) -> Any:
    """What the probe gives, or how it fails: that must be the same too."""
    try:
        return probe(model)
    except (RuntimeError, TypeError) as error:
        return type(error).__name__, str(error).replace("twin_fixed", "twin_plain").splitlines()[0]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.__name__.strip("_"))
def test_same_as_unfixed(twins: tuple[ModuleType, ModuleType], probe: Probe, name: str) -> None:
    plain, fixed = (_outcome(probe, _make(module, name)) for module in twins)
    assert _same(plain, fixed), f"{plain} became {fixed}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCRIPTABLE)
def test_scripts_like_unfixed(twins: tuple[ModuleType, ModuleType], name: str) -> None:
    plain, fixed = (torch.jit.script(_make(module, name)) for module in twins)
    assert torch.equal(plain(_input()), fixed(_input()))
    assert plain.code == fixed.code.replace("twin_fixed", "twin_plain")


@pytest.mark.filterwarnings("ignore")
def test_probes_work_on_the_models(twins: tuple[ModuleType, ModuleType]) -> None:
    """Two failures are equal too: most probes must succeed for the comparison to mean something."""
    for probe in PROBES:
        probe(_make(twins[0], "Mlp"))


def test_distributed_data_parallel(twins: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    if not dist.is_gloo_available():
        pytest.skip("torch was built without gloo")
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        outcomes = []
        for module in twins:
            model = DistributedDataParallel(_make(module, "Stack"))
            out = model(_input())
            out.sum().backward()
            outcomes.append([out.detach(), *(p.grad for p in model.parameters())])
            del model, out
    finally:
        gc.collect()  # a reducer with the last reference to the group can deadlock in its destructor
        dist.destroy_process_group()
    assert _same(*outcomes)


def test_runtime_style_gives_the_same_outputs(tmp_path: Path) -> None:
    """The hazards of this style are documented; plain calls are the same."""
    fixed = fix_text(SOURCE, FixOptions(ALL_CODES, Style.RUNTIME))
    outputs = []
    for name, text in (("twin_plain_r", SOURCE), ("twin_fixed_r", fixed)):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        outputs.append(_make(_import(name, path), "Mlp")(_input(), scale=3.0))
    assert torch.equal(*outputs)
