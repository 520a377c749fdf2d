"""What can be seen of an example and its mutants from outside: results, layouts, gradients, parameters.

`ordinary` is the one run that its author makes. `observed` looks harder, to tell mutants that are bugs from those that
are not: several sizes, a batch of one, inputs whose elements are not contiguous, training and evaluation.
"""

from __future__ import annotations

import ast
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.mutators import Place, place


def load(name: str, code: Any) -> ModuleType:
    """The module that the code makes, known to `sys.modules` as dataclasses want it."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def seen(source: str) -> dict[Place, set[object]]:
    """What each assigned, returned or given expression was while `main` ran: ints, and which kinds of tensor."""
    found: dict[Place, set[object]] = {}

    def note(where: Place, value: object) -> object:
        found.setdefault(where, set()).add(kind_of(value))
        return value

    tree = ast.fix_missing_locations(Noting().visit(ast.parse(source)))
    module = load("example_being_watched", compile("__note__ = None", "", "exec"))
    module.__dict__["__note__"] = note
    exec(compile(tree, "example", "exec"), module.__dict__)
    with redirect_stdout(StringIO()):
        module.main()
    return found


def kind_of(value: object) -> object:
    if isinstance(value, Tensor):
        return "Tensor" if value.is_floating_point() else "IntTensor"
    return value if type(value) is int else type(value).__name__


class Noting(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        node.args = [one if isinstance(one, ast.Starred) else _noted(one) for one in node.args]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.value = _noted(self.visit(node.value))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None and node.col_offset > 4:  # in a function
            node.value = _noted(self.visit(node.value))
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            node.value = _noted(self.visit(node.value))
        return node


def _noted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.GeneratorExp):
        return node
    call = ast.Call(ast.Name("__note__", ast.Load()), [ast.Constant(place(node)), node], [])
    return ast.copy_location(call, node)


@dataclass(frozen=True)
class Trial:
    """How to run a model once."""

    batch: int
    size: int
    training: bool = False
    strided: bool = False

    def floats(self, *shape: int) -> Tensor:
        """Random numbers in [0, 1)."""
        return self._laid(torch.rand(shape).requires_grad_())

    def ids(self, below: int, *shape: int) -> Tensor:
        """Random indices."""
        return self._laid(torch.randint(below, shape))

    def _laid(self, x: Tensor) -> Tensor:
        """With its elements in another order in memory, if that is requested."""
        if not self.strided:
            return x
        return x.mT.contiguous().mT if x.ndim > 1 else torch.stack([x, x], dim=1)[:, 0]

    def ready(self, model: nn.Module) -> nn.Module:
        """In training or evaluation; its parameters depend on their names, not on the order in which they were made."""
        for name, parameter in model.named_parameters():
            generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))
            parameter.data = torch.randn(parameter.shape, generator=generator) * 0.3
        return model.train(self.training)


TRIALS = (
    Trial(3, 11, training=True),
    Trial(3, 8),
    Trial(1, 13),
    Trial(2, 1),
    Trial(4, 9, strided=True),
)


def _cruncher(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model = t.ready(m.Cruncher())
    score = model(t.floats(t.batch, 16), scale=t.floats(t.batch, 1))
    return model, (score, model(t.floats(t.batch, 16)), m.squared_error(score, t.floats(t.batch)))


def _gpt(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model, ids = t.ready(m.GPT(m.Config())), t.ids(97, t.batch, t.size)
    return model, (model(ids)[0], model(ids, targets=ids))


def _llama(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model = t.ready(m.Llama(m.Config()))
    return model, model(t.ids(101, t.batch, t.size))


def _tagger(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model, words = t.ready(m.Tagger()), t.ids(50, t.batch, t.size)
    mask = torch.arange(t.size) <= torch.arange(t.batch)[:, None]
    scores = model(words, mask=mask)
    tags = m.predict(model, words)
    return model, (scores, tags, m.loss(scores, t.ids(7, t.batch, t.size), mask))


def _resnet(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model = t.ready(m.ResNet())
    scores = model(t.floats(t.batch, 3, t.size, t.size + 2))
    return model, (scores, m.accuracy(scores, t.ids(10, t.batch)))


def _unet(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model = t.ready(m.UNet())
    return model, model(t.floats(t.batch, 3, t.size, t.size + 2))


def _vae(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model, images = t.ready(m.VAE()), t.floats(t.batch, 1, 8, 8)
    logits, mean, log_variance = model(images)
    return model, (logits, mean, log_variance, m.ELBO()(logits, images, mean, log_variance))


def _vit(m: Any, t: Trial) -> tuple[nn.Module, object]:
    model = t.ready(m.ViT(m.Config()))
    return model, model(t.floats(t.batch, 3, 24, 32))


MODELS: dict[str, Callable[[Any, Trial], tuple[nn.Module, object]]] = {
    "cruncher": _cruncher,
    "gpt": _gpt,
    "llama_70b": _llama,
    "lstm_tagger": _tagger,
    "resnet": _resnet,
    "unet": _unet,
    "vae": _vae,
    "vit": _vit,
}


@dataclass(frozen=True)
class Observation:
    """What one trial showed, or the name of the exception that ended it."""

    error: str = ""
    results: tuple[tuple[Any, ...], ...] = ()
    """Of each tensor that came back: shape, dtype, strides where they matter, values."""
    gradients: tuple[tuple[str, Any], ...] = ()
    parameters: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Names and shapes; a parameter that two modules share is listed once."""

    def forms(self) -> tuple[Any, ...]:
        """The rest, if numbers are ignored."""
        return (self.error, *(one[:3] for one in self.results))


def observed(example: str, source: str) -> list[Observation]:
    """All trials of an example, or of a mutant of it."""
    try:
        module = load("example_being_observed", compile(source, "example", "exec"))
    except Exception as error:  # whatever a mutant does is what is seen of it
        return [Observation(type(error).__name__)]
    return [_trial(MODELS[example], module, trial) for trial in TRIALS]


def _trial(model_of: Callable[[Any, Trial], tuple[nn.Module, object]], module: Any, trial: Trial) -> Observation:
    torch.manual_seed(0)
    try:
        model, result = model_of(module, trial)
        tensors = list(_tensors(result))
        floats = [one for one in tensors if one.requires_grad]
        torch.autograd.backward([one.double().square().sum() for one in floats])
    except Exception as error:
        return Observation(type(error).__name__)
    return Observation(
        results=tuple((tuple(one.shape), str(one.dtype), strides_of(one), values_of(one)) for one in tensors),
        gradients=tuple((name, None if p.grad is None else values_of(p.grad)) for name, p in model.named_parameters()),
        parameters=tuple((name, tuple(p.shape)) for name, p in model.named_parameters()),
    )


def _tensors(value: object) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _tensors(one)


def strides_of(x: Tensor) -> tuple[int, ...]:
    return tuple(stride for stride, size in zip(x.stride(), x.shape, strict=True) if size > 1)


def values_of(x: Tensor) -> Any:
    return x.detach().double().numpy().copy()


def same(one: list[Observation], other: list[Observation]) -> bool:
    """Whether nothing observable differs but the last digits of numbers."""
    return len(one) == len(other) and all(map(_same, one, other))


def resized(one: list[Observation], other: list[Observation]) -> bool:
    """Whether the mutant is the same model with other sizes inside: nothing fails, and all results have their form."""
    return [trial.forms() for trial in one] == [trial.forms() for trial in other] and any(
        a.parameters != b.parameters and dict(a.parameters).keys() == dict(b.parameters).keys()
        for a, b in zip(one, other, strict=True)
    )


def _same(one: Observation, other: Observation) -> bool:
    if one.forms() != other.forms() or one.parameters != other.parameters:
        return False
    results = all(close(a[3], b[3]) for a, b in zip(one.results, other.results, strict=True))
    return results and all(close(a, b) for (_, a), (_, b) in zip(one.gradients, other.gradients, strict=True))


def close(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return torch.allclose(torch.from_numpy(one), torch.from_numpy(other), rtol=1e-4, atol=1e-5, equal_nan=True)
