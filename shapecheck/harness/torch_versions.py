"""What differs between versions of torch; everything else is the same from 2.4 on.

`docs/versions.md` lists what each version lacks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor
from torch.nn.modules import module as modules
from torch.utils._python_dispatch import TorchDispatchMode

from shapecheck.runtime.guards.places import SourceLocation, is_of_program

_LINE = re.compile(r'^\s*File "(.+)", line (\d+), in ', re.MULTILINE)
_HAS_KEYWORDS = hasattr(modules, "_global_forward_hooks_with_kwargs")
"""Whether hooks of all modules can receive keyword arguments."""


def hook_leaving(hook: Callable[..., None]) -> Callable[[], None]:
    """Call `hook(module, args, kwargs, result)` after each module, `hook(module, args, None)` where it raised.

    Returns a handle to remove it. If torch does not pass keywords to hooks of all modules, they are empty.
    """
    register: Any = modules.register_module_forward_hook
    if not _HAS_KEYWORDS:
        handle = register(_with_no_keywords(hook), always_call=True)
        return handle.remove  # type: ignore[no-any-return]
    handle = register(hook, with_kwargs=True, always_call=True)

    def remove() -> None:
        handle.remove()
        vars(modules)["_global_forward_hooks_with_kwargs"].pop(handle.id, None)  # torch forgets this one

    return remove


def _with_no_keywords(hook: Callable[..., None]) -> Callable[..., None]:
    def leaving(module: nn.Module, args: tuple[Any, ...], result: Any) -> None:
        raised = result is None and sys.exc_info()[1] is not None
        hook(module, args, None) if raised else hook(module, args, {}, result)

    return leaving


def let_higher_order_operators_through(mode: type[TorchDispatchMode]) -> None:
    """Run these operators unchanged under a mode, even if torch rejects a mode that is not registered."""
    if hasattr(TorchDispatchMode, "supports_higher_order_operators"):  # the mode says so itself
        return
    operators: dict[str, Any] = vars(torch._ops)["_higher_order_ops"]
    for operator in operators.values():
        with suppress(AssertionError):  # registered already
            operator.py_impl(mode)(partial(_as_it_is, operator))


def _as_it_is(operator: Any, mode: TorchDispatchMode, *args: Any, **kwargs: Any) -> Any:
    return operator(*args, **kwargs)


@contextmanager
def without_guard_timing() -> Iterator[None]:
    """Compile without measuring how long guards take: torch flushes the caches of the CPU for that, which is slow."""
    guards: Any = sys.modules.get("torch._dynamo.guards")
    measure = getattr(guards, "profile_guard_manager", None)
    if measure is None:  # older torch measures nothing
        yield
        return
    guards.profile_guard_manager = lambda *_: 0.0
    try:
        yield
    finally:
        guards.profile_guard_manager = measure


def end_checkpoints(error: BaseException) -> None:
    """Remove the hooks of checkpoints that an error passed through; older torch keeps them as long as the error."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == "torch.utils.checkpoint":
            with suppress(RuntimeError):  # it still runs
                trace.tb_frame.clear()
        trace = trace.tb_next


def fixed_sizes(program: torch.export.ExportedProgram) -> Iterator[tuple[int, SourceLocation | None]]:
    """The sizes to which an export fixed a dynamic dimension, and the line that did.

    None for the line if a layer of torch did, or if torch does not record it.
    """
    values = (node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder")
    mode = next((one.fake_mode for one in values if isinstance(one, FakeTensor)), None)
    environment: Any = None if mode is None else mode.shape_env
    if environment is None:
        return
    lines = getattr(environment, "replacements_slocs", {})
    for symbol, value in environment.replacements.items():
        if value.is_Integer:
            frame: Any = getattr(lines.get(symbol), "framework_loc", None)
            place = None if frame is None else SourceLocation(frame.filename, frame.lineno)
            is_known = place is not None and is_of_program(place.path)
            yield int(value), place if is_known else _unpacked_at(program, int(value))


def _unpacked_at(program: torch.export.ExportedProgram, size: int) -> SourceLocation | None:
    """The line of the program that unpacks a dimension of that size, as unbind, split and loops over a tensor do."""
    for node in program.graph.nodes:
        made = node.meta.get("val")
        lines = _LINE.findall(node.meta.get("stack_trace") or "")
        if isinstance(made, (list, tuple)) and len(made) == size and lines and is_of_program(lines[-1][0]):
            return SourceLocation(lines[-1][0], int(lines[-1][1]))
    return None
