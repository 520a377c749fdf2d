"""`b, t, c = x.shape`: refines a tensor of unknown rank by the names that its sizes are unpacked to."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape
from shapecheck.static.domain.array_likes import some_array_like
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.call_refinement import refine_rank
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read, refine
from shapecheck.static.narrowing.tensor_facts import with_axis, with_least_rank, with_rank
from shapecheck.static.narrowing.tensor_reads import TensorRead, tensor_read_of


def refine_from_unpacking(run: Run, target: ast.expr, source: ast.expr, value: Value) -> Value:
    """The assigned value; if the target implies the rank of a tensor, its sizes."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return value
    if isinstance(source, ast.Tuple) and type(value) is tuple and len(source.elts) == len(value) == len(target.elts):
        parts = zip(target.elts, source.elts, value, strict=True)
        return tuple(refine_from_unpacking(run, one, part, of_part) for one, part, of_part in parts)
    if any(isinstance(one, ast.Starred) for one in target.elts):
        return value
    if items_of(value) is not None and not _is_part_of_unknown_rank(run, source):
        return value
    names = list(map(_name, target.elts))
    if isinstance(value, OpenShape):
        refine_rank(run, value.spec, names)
        known = run.knowledge.settled(value.spec)
        if isinstance(known, TensorSpec) and known.rank == len(names):
            return known.dims
    sizes = _sizes(run, source, 0, len(target.elts), names, starred=False)
    return value if sizes is None else tuple(sizes)


def refine_around_star(run: Run, target: ast.expr, source: ast.expr, value: Value) -> list[Value] | None:
    """A value for each name of `*lead, h, w = x.shape` if the rank is unknown; None for anything else."""
    if not isinstance(target, (ast.Tuple, ast.List)) or items_of(value) is not None:
        return None
    star = next((at for at, one in enumerate(target.elts) if isinstance(one, ast.Starred)), None)
    if star is None:
        return None
    names = [_name(one) for one in target.elts if not isinstance(one, ast.Starred)]
    sizes = _sizes(run, source, star, len(target.elts) - star - 1, names, starred=True)
    if sizes is None:
        return None
    part = _between(run.knowledge.settled(_evaluated(run, source, value)), star, len(target.elts) - star - 1)
    return [*sizes[:star], part, *sizes[star:]]


def _evaluated(run: Run, source: ast.expr, value: Value) -> Value:
    """The shape that is unpacked, with what the names imply."""
    view = tensor_read_of(source)
    tensor = None if view is None or view.kind != "shape" else read(run, view.place)
    return OpenSizes(tensor) if isinstance(tensor, TensorSpec) and tensor.rank is None else value


def _between(value: Value, before: int, after: int) -> Value:
    """The sizes that a starred name receives."""
    part = value.part(slice(before, -after or None)) if isinstance(value, OpenSizes) else None
    return Unknown("starred items") if part is None else part


def _is_part_of_unknown_rank(run: Run, source: ast.expr) -> bool:
    """Whether it is `x.shape[-2:]` of a tensor of unknown rank, whose sizes the names are."""
    view = tensor_read_of(source) if isinstance(source, ast.Subscript) else None
    if view is None or view.kind != "part":
        return False
    tensor = read(run, view.place)
    return isinstance(tensor, TensorSpec) and tensor.rank is None


def _name(target: ast.expr) -> str:
    return target.id.strip("_") or "?" if isinstance(target, ast.Name) else "?"


def _sizes(
    run: Run, source: ast.expr, before: int, after: int, names: list[str], *, starred: bool
) -> list[Value] | None:
    """The sizes of the first and the last names; None if the source is not the shape of one tensor."""
    view = tensor_read_of(source)
    if view is None or view.kind not in ("shape", "part") or (starred and view.kind == "part"):
        return None
    axes = _axes(view, before, after)
    if axes is None:
        return None
    seen: list[TensorSpec] = []

    def change(value: Value) -> Value:
        if not starred and _is_whole(view):
            names_of_all = [*["?"] * (view.start or 0), *names]
            value = refine_rank(run, value, names_of_all, array_like=not view.torch_only)
        if type(value) in (Unknown, SymbolicArgument):
            value = TensorSpec.anything() if view.torch_only else some_array_like()
        if isinstance(value, TensorSpec):
            value = _with_axes(run, value, view, dict(zip(axes, names, strict=True)), starred=starred)
            seen.append(value)
        return value

    refine(run, view.place, change)
    return [seen[0].shape.size(axis) for axis in axes] if len(seen) == 1 else None


def _axes(view: TensorRead, before: int, after: int) -> list[int] | None:
    """The named axes, negative ones from the end; None if they are unknown."""
    if view.kind == "shape":
        return [*range(before), *range(-after, 0)]
    if view.start == -after and view.stop is None:
        return list(range(-after, 0))
    if not view.start and view.stop == after:
        return list(range(after))
    if view.stop is None and (view.start or 0) >= 0:
        return list(range(view.start or 0, (view.start or 0) + after))
    return None


def _is_whole(view: TensorRead) -> bool:
    """Whether the number of sizes that are read determines the rank."""
    return view.kind == "shape" or (view.stop is None and (view.start or 0) >= 0)


def _with_axes(run: Run, spec: TensorSpec, view: TensorRead, axes: dict[int, str], *, starred: bool) -> TensorSpec:
    if _is_whole(view) and not starred:
        rank = len(axes) + (view.start or 0)
        return spec if spec.rank == rank else with_rank(spec, rank, axes)
    spec = with_least_rank(spec, len(axes))
    for axis, name in axes.items():
        if spec.shape.at(axis) is None:
            spec = with_axis(run, spec, axis, unknown(name, low=0))
    return spec
