"""Sizes in the arguments of layer constructors: an unknown argument that must be a size becomes an unknown size."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec, Unknown, find
from shapecheck.spec import Dim, TensorSpec, unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, Never
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.call_refinement import refine_to_size
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.tensor_facts import assume_positive_width
from shapecheck.static.operators.none_sizes import report_none_size

_SIZE_PARAMETERS = frozenset(
    """
    in_channels out_channels in_features out_features num_features num_channels num_embeddings embedding_dim
    input_size hidden_size in1_features in2_features embed_dim d_model num_heads nhead
    """.split()
)


def with_symbolic_sizes(
    run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> tuple[tuple[Value, ...], dict[str, Value]]:
    """The arguments of a layer constructor, with a symbolic size for each unknown argument that must be a size."""
    run.effects.is_warm = True
    if not any(one is None or isinstance(one, (Unknown, Dim, TensorSpec)) for one in (*args, *kwargs.values())):
        return args, kwargs
    entry = find(name)
    if entry is None or not (isinstance(entry.function, type) and issubclass(entry.function, ModuleSpec)):
        return args, kwargs
    names = tuple(entry.signature.parameters)
    sizes = [one if one in _SIZE_PARAMETERS else "" for one in names]
    report_none_size(run, node, sizes, args, {key: one for key, one in kwargs.items() if key in _SIZE_PARAMETERS})
    positional = tuple(
        _as_size(run, value) if index < len(names) and names[index] in _SIZE_PARAMETERS else value
        for index, value in enumerate(args)
    )
    return positional, {
        key: _as_size(run, value) if key in _SIZE_PARAMETERS else value for key, value in kwargs.items()
    }


def _as_size(run: Run, value: Value) -> Value:
    if isinstance(value, Dim):
        assume_positive_width(run, value)
        return run.knowledge.settled(value)
    if isinstance(value, TensorSpec) and not value.shape.least_rank:
        return unknown()  # torch accepts an integer tensor of one element as a size
    if not isinstance(value, Unknown) or isinstance(value, (Alternatives, Never)):
        return value
    refine_to_size(run, value)
    return value.size if isinstance(value, SymbolicArgument) else unknown()
