"""Forward and backward: every parameter that is to be trained gets a gradient."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.trial import Trial, flat
from shapecheck.runtime.guards.places import Place, place_of_caller


@check(70)
def backward(trial: Trial) -> Iterator[Diagnostic]:
    """The gradient of the sum of all results."""
    wanted = {name: one for name, one in trial.model.named_parameters() if one.requires_grad}
    if not wanted:
        raise Skip("it has no parameters to train")
    watch = _Cuts()
    try:
        missing = _without_gradient(trial, wanted, watch)
        if missing:
            missing &= _in_train_mode(trial, wanted)
    except Skip:
        raise
    except Exception as error:
        yield trial.fault(error, "in backward")
        return
    finally:
        trial.model.zero_grad(set_to_none=True)
    if missing:
        yield _told(trial, [name for name in wanted if name in missing], watch)


def _in_train_mode(trial: Trial, wanted: dict[str, nn.Parameter]) -> set[str]:
    """Those that have none in train mode either: what masks or drops is only used there."""
    trial.model.train()
    try:
        return _without_gradient(trial, wanted, _Cuts())
    except Exception:  # the check `train` tells of it
        return set(wanted)
    finally:
        trial.model.eval()


def _without_gradient(trial: Trial, wanted: dict[str, nn.Parameter], watch: _Cuts) -> set[str]:
    """The parameters that the gradient of the sum of all results does not reach. Raises Skip where there is none."""
    trial.model.zero_grad(set_to_none=True)
    with torch.enable_grad(), watch:
        results = flat(trial.subject.call(trial.subject.arguments(trial.plan)))
    ends = [one for one in results if one.requires_grad]
    if not ends:
        raise Skip("no result of it can be differentiated")
    with trial.subject.within():
        torch.autograd.backward([one.abs().sum() if one.dtype.is_complex else one.sum() for one in ends])
    return {name for name, parameter in wanted.items() if parameter.grad is None}


def _told(trial: Trial, missing: list[str], watch: _Cuts) -> Diagnostic:
    listed = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    what = f"{listed} {'gets' if len(missing) == 1 else 'get'} no gradient"
    if watch.places:
        return trial.finding("missing-gradient", f"{what}: what is computed here is cut off", watch.places[0])
    place, path = _made_at(trial, missing[0])
    return trial.finding("missing-gradient", f"{what}: forward does not use it", place, module=path)


class _Cuts(TorchFunctionMode):
    """Notes the lines that take a tensor with a gradient and give one without."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[Place] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator as it is."""
        result = func(*args, **(kwargs or {}))
        if _is_cut(func, (args, kwargs), result):
            place = place_of_caller(inspect.currentframe())
            if place not in self.places:
                self.places.append(place)
        return result


def _is_cut(func: Any, given: Any, result: Any) -> bool:
    """Whether floats with a gradient went in, and floats without one came out."""
    if not isinstance(result, Tensor) or not result.dtype.is_floating_point or result.requires_grad:
        return False
    return any(one.requires_grad for one in flat(given)) and not _is_query(func)


_QUERIES = re.compile(
    r"zeros|ones|empty|full|rand|_like|__get__|__set__|size|stride|new_|sign|floor|ceil|round|isnan|allclose"
)


def _is_query(func: Any) -> bool:
    """Whether it reads an attribute, or only takes the shape of the tensor."""
    name = getattr(func, "__name__", "")
    owner = getattr(getattr(func, "__self__", None), "__name__", "")
    return _QUERIES.search(name) is not None and owner != "data"


def _made_at(trial: Trial, parameter: str) -> tuple[Place, str]:
    """The line of the program that makes the layer of a parameter, and the path of the module that owns it."""
    parts = parameter.split(".")
    for depth in range(len(parts) - 1, -1, -1):
        owner = trial.model.get_submodule(".".join(parts[:depth]))
        if type(owner).__module__.partition(".")[0] == "torch":
            continue
        try:
            lines, first = inspect.getsourcelines(type(owner))
        except (OSError, TypeError):
            continue
        for offset, line in enumerate(lines):
            if re.search(rf"\bself\.{parts[depth]}\b(\s*:[^=]+)?\s*=", line):
                return Place(inspect.getsourcefile(type(owner)) or "", first + offset), ".".join(parts[:depth])
    return trial.forward_place(), ""
