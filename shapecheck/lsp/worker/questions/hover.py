"""What is known about the value at a place: Markdown, and the range that it is about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from shapecheck.editing.files import Analysis
from shapecheck.editing.hints import different
from shapecheck.lsp.messages import Question
from shapecheck.lsp.worker.axis_names import axes_at
from shapecheck.lsp.worker.bound_axes import calls_of
from shapecheck.lsp.worker.probe import evaluated, is_size, size_origins
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.lsp.worker.syntax import At, at
from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import Instance
from shapecheck.static.engine.places import span
from shapecheck.static.observing.observer import precision_of

_MOST = 4


def answer(project: EditedProject, question: Question) -> dict[str, Any] | None:
    """The Markdown and the range; None if nothing is known."""
    analysis = project.analyses.get(Path(question.path))
    if analysis is None:
        return None
    place = at(analysis.module, question.line, question.column)
    axes = axes_at(analysis.module, place, question.line, question.column)
    if axes is not None:
        calls = calls_of(project, analysis.path, axes[0])
        return {"text": "\n".join(calls), "range": span(analysis.module, place.path[-1])} if calls else None
    node = place.expression
    if node is None or isinstance(node, ast.Constant):
        return None
    values = _values(analysis, place, node)
    blocks = [text for one in values[:_MOST] if (text := described(one))]
    if not blocks:
        return None
    if len(values) > _MOST:
        blocks.append(f"and {len(values) - _MOST} more")
    if any(isinstance(one, TensorSpec) or is_size(one) for one in values):
        blocks += _origins(analysis, place)
    return {"text": "\n\n".join(blocks), "range": span(analysis.module, node)}


def _values(analysis: Analysis, place: At, node: ast.expr | ast.arg) -> list[Value]:
    """The values that the expression was seen with, the most precise first."""
    watch = analysis.watch
    if isinstance(node, ast.arg) and node in watch.parameters:
        return _most_precise(watch.parameters[node])
    if isinstance(node, ast.expr) and node in watch.bound:
        return _most_precise(watch.bound[node])
    known = evaluated(place)
    if known is None or known not in watch.values:
        return []
    value = watch.values[known][1]
    return [one for one in value.members if one is not None] if isinstance(value, Alternatives) else [value]


def _most_precise(tensors: Iterable[TensorSpec]) -> list[Value]:
    """The tensors of which most is known; of those that differ in the names of sizes alone, one."""
    known = list(tensors)
    best = max(map(precision_of, known))
    texts = {str(one): one for one in known if precision_of(one) is best}
    return [texts[one] for one in different(texts)]


def _origins(analysis: Analysis, place: At) -> Iterator[str]:
    notes = [note for notes in size_origins(analysis, place).values() for note in notes[:1]]
    if notes:
        yield "\n".join(f"- {one.message} ({Path(one.path).name}:{one.line})" for one in notes)


def described(value: Value) -> str:
    """A value in Markdown; empty if nothing is known about it."""
    if isinstance(value, TensorSpec):
        return _code(_tensor(value)) if value.rank is not None or value.dtype is not None else ""
    if isinstance(value, ModuleSpec):
        return _layer(value)
    if isinstance(value, Instance) and is_module(value.cls):
        return _module(value)
    return _code(f"size {value!s}") if is_size(value) else ""


def _tensor(value: TensorSpec) -> str:
    parts = [str(value)]
    if value.layout != "unknown":
        parts.append(value.layout)
    if value.strides is not None:
        parts.append(f"strides ({', '.join(map(str, value.strides))})")
    if isinstance(value.device, str):
        parts.append(f"on {value.device}")
    return ", ".join(parts)


def _layer(layer: ModuleSpec) -> str:
    weights = [(name, one) for name, one in vars(layer).items() if isinstance(one, TensorSpec)]
    lines = [f"nn.{type(layer).name}", *(f"{name}: {one}" for name, one in weights)]
    return _code("\n".join(lines))


def _module(value: Instance) -> str:
    """The submodules of a module of the project."""
    lines = [str(value.cls.node.name)]
    for name, one in value.fields.items():
        if isinstance(name, str) and isinstance(one, ModuleSpec):
            weight = getattr(one, "weight", None)
            shape = f" {weight.shape!s}" if isinstance(weight, TensorSpec) else ""
            lines.append(f"  {name}: nn.{type(one).name}{shape}")
        elif isinstance(name, str) and isinstance(one, Instance) and is_module(one.cls):
            lines.append(f"  {name}: {one.cls.node.name}")
    return _code("\n".join(lines))


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
