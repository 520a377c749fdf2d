"""`nn.Sequential(nn.Linear(8, 16), nn.Linear(32, 4))`: a layer that refuses the result of the one before.

The layers are applied to a tensor of unknown size that the first one accepts. A layer of the project, or a result that
is unknown, ends the chain; the next layer that requires something begins another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from typing import Final, NamedTuple

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec
from shapecheck.ops.assumptions import Assumption, assuming
from shapecheck.project.same_cause import YIELDS
from shapecheck.spec import CallError, DTypeError, LayoutError, Shape, ShapeError, Size, TensorSpec, same, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ClassValue, DictValue, Instance, ModuleContainer
from shapecheck.static.domain.sizes import is_positive_size
from shapecheck.static.engine.hooks import stacked
from shapecheck.static.engine.operand_requirements import requirement_of, with_requirement
from shapecheck.static.engine.places import note_at
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.provenance.value_sources import source_of_layer
from shapecheck.static.rules._chain_use import may_be_used_apart
from shapecheck.static.rules._named_sizes import are_two_names

_CODE: Final = "shape-mismatch"
_CONDITIONAL: Final = "off-default"
_MOST_LAYERS = 200
_OTHER_REFUSALS = (DTypeError, LayoutError, CallError)
_FEATURES = ("in_features", "out_features", "num_features")
_WIDTHS = ("out_features", "out_channels")


class _Refused(NamedTuple):
    """A layer that refuses the result of the one before."""

    layer: ModuleSpec
    before: ModuleSpec
    input: TensorSpec
    why: ShapeError
    code: str = _CODE


@stacked(_CODE, "Sequential")
def chained(run: Run, node: ast.AST, args: tuple[Value, ...]) -> None:
    """Reports the first layer of an nn.Sequential that refuses the result of the layer before."""
    _report(run, node, args, _CODE)


@stacked(_CONDITIONAL, "Sequential")
def of_other_width(run: Run, node: ast.AST, args: tuple[Value, ...]) -> None:
    """Reports the first layer whose width has another name than that of the layer before."""
    _report(run, node, args, _CONDITIONAL)


def _report(run: Run, node: ast.AST, args: tuple[Value, ...], code: str) -> None:
    items = tuple(args[0].items.values()) if len(args) == 1 and isinstance(args[0], DictValue) else args
    layers = list(_flat(items))
    if not 2 <= len(layers) <= _MOST_LAYERS:
        return
    found = _first_refused(run, layers)
    if found is None or found.code != code or not isinstance(node, ast.expr):
        return
    if may_be_used_apart(run, node) or _has_own_forward(run, node):
        return
    if any(isinstance(one, ModuleContainer) and _contains(one, found) for one in items):
        return  # it is reported where that container is built
    place = _expression_of(node, items, found.layer)
    why = partial(_notes, run, place, found)
    causes = partial(_causes, run, found)
    run.report(code, place, str(found.why), why, causes)


def _has_own_forward(run: Run, node: ast.expr) -> bool:
    """Whether `super().__init__(*layers)` belongs to a class that overrides how nn.Sequential applies its layers."""
    if not isinstance(node, ast.Call) or last_name(node.func) != "__init__":
        return False
    made = next(iter(run.frame.names.fields.values()), None)
    return isinstance(made, Instance) and isinstance(made.cls.holder("forward"), ClassValue)


def _flat(items: Sequence[Value]) -> Iterator[Value]:
    for one in items:
        if isinstance(one, ModuleContainer) and one.kind == "Sequential" and not one.lost:
            yield from _flat(tuple(one.items.values()))
        else:
            yield one


def _contains(container: ModuleContainer, found: _Refused) -> bool:
    inner = [id(one) for one in _flat((container,))]
    return id(found.layer) in inner and id(found.before) in inner


def _first_refused(run: Run, layers: Sequence[Value]) -> _Refused | None:
    """The first layer that refuses its input, whatever input the first layer of the chain receives."""
    input: TensorSpec | None = None
    before: ModuleSpec | None = None
    chain: list[ModuleSpec] = []
    for layer in layers:
        if not isinstance(layer, ModuleSpec):
            input = None
            continue
        if input is None:
            input, before, chain = _first_input(layer), None, []
        if input is None:
            continue
        settled = _settled(run, layer)
        chain.append(settled)
        try:
            with assuming() as assumed:
                result = settled(input)
        except _OTHER_REFUSALS:
            input = None
            continue
        except ShapeError as refusal:
            return None if before is None else _Refused(layer, before, input, refusal)
        if before is not None and (refused := _of_other_width(layer, before, input, assumed)) is not None:
            return refused
        if before is not None and (refused := _of_features(chain, before, input)) is not None:
            return refused._replace(layer=layer)
        made = run.knowledge.settled(result)
        input = made if isinstance(made, TensorSpec) else None
        before = layer if before is None or _determines_features(layer) else before
    return None


def _settled(run: Run, layer: ModuleSpec) -> ModuleSpec:
    """The layer with the facts about its sizes: that they are at least 1."""
    known = {name: run.knowledge.settled(value) for name, value in vars(layer).items()}
    if all(value is known[name] for name, value in vars(layer).items()):
        return layer
    changed = copy(layer)
    vars(changed).update(known)
    return changed


def _first_input(layer: ModuleSpec) -> TensorSpec | None:
    """A tensor that a layer accepts, with unknown sizes wherever the layer accepts several."""
    requirement = requirement_of(layer, (), {})
    shape = None if requirement is None else with_requirement(None, requirement, batched=True)
    return None if shape is None else TensorSpec.make(shape, None)


def _determines_features(layer: ModuleSpec) -> bool:
    return any(hasattr(layer, name) for name in ("out_features", "out_channels", "num_features"))


def _of_other_width(
    layer: ModuleSpec, before: ModuleSpec, input: TensorSpec, assumed: Iterable[Assumption]
) -> _Refused | None:
    """A layer for another width than that of the result before: two widths with different names.

    Both are written next to each other, so the author could have written the same name.
    """
    widths = {getattr(before, name, None) for name in _WIDTHS}
    for one in assumed:
        for made, expected in ((one.left, one.right), (one.right, one.left)):
            if made in widths and are_two_names(made, expected):
                why = ShapeError(f"{layer.name}: {one.message} (works only if {expected} equals {made})")
                return _Refused(layer, before, input, why, _CONDITIONAL)
    return None


def _of_features(chain: Sequence[ModuleSpec], before: ModuleSpec, input: TensorSpec) -> _Refused | None:
    """A BatchNorm1d for other features than those of the Linear before it.

    It accepts the features of a sequence of as many rows, (b, rows, features). That is not intended if the number of
    rows is also the number of features of a layer before.
    """
    layer = chain[-1]
    rows = getattr(layer, "num_features", None)
    if layer.name != "BatchNorm1d" or input.rank is not None or not input.shape.tail or not is_positive_size(rows):
        return None
    if not any(same(rows, size) is True for one in chain[:-1] for size in _feature_sizes(one)):
        return None
    features = TensorSpec.make(Shape((unknown("n"), input.shape.tail[-1])), None)
    try:
        layer(features)
    except _OTHER_REFUSALS:
        return None
    except ShapeError as refusal:
        return _Refused(layer, before, features, refusal)
    return None


def _feature_sizes(layer: ModuleSpec) -> list[Size]:
    found = [getattr(layer, name, None) for name in _FEATURES]
    return [one for one in found if is_positive_size(one)]


def _expression_of(node: ast.expr, items: Sequence[Value], layer: ModuleSpec) -> ast.expr:
    """The argument that is the layer, if the layers are written in the call; else the call."""
    if not isinstance(node, ast.Call) or len(node.args) != len(items):
        return node
    written = zip(node.args, items, strict=True)
    return next((one for one, value in written if value is layer and not isinstance(one, ast.Starred)), node)


def _notes(run: Run, place: ast.expr, found: _Refused) -> list[Note]:
    notes = conflict_notes(run, place, found.layer, (), {}, str(found.why), found.why.sizes)
    built = run.origins.of_layer(found.before)
    if built is not None:
        made = note_at(built.names.loaded, built.node, f"{found.before.name} before it returns {found.input.shape}")
        notes.append(made)
    return notes


def _causes(run: Run, found: _Refused) -> tuple[str, ...]:
    """The finding yields to that of a call of the container."""
    source = source_of_layer(run, found.layer, "input")
    return () if source is None else (YIELDS + source.text,)
