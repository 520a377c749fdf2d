"""Arguments of a layer's constructor that are surely numbers: one that is not known is an unknown size."""

from __future__ import annotations

from typing import Any

from shapecheck.ops import ModuleSpec, Unknown, find
from shapecheck.spec import Dim, unknown
from shapecheck.static.domain.alternatives import Alternatives, Never
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import SymbolicArgument, refine_to_size
from shapecheck.static.narrowing.tensor_facts import assume_positive_width

_SIZES = frozenset(
    """
    in_channels out_channels in_features out_features num_features num_channels num_embeddings embedding_dim
    input_size hidden_size in1_features in2_features embed_dim d_model
    """.split()
)


def with_sizes(
    run: Run, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> tuple[tuple[Value, ...], dict[str, Value]]:
    """The arguments of a layer, with an unknown size for each that must be one and is not known at all."""
    if not any(isinstance(one, (Unknown, Dim)) for one in (*args, *kwargs.values())):
        return args, kwargs
    entry = find(name)
    if entry is None or not (isinstance(entry.function, type) and issubclass(entry.function, ModuleSpec)):
        return args, kwargs
    names = tuple(entry.signature.parameters)
    positional = tuple(
        _size(run, value) if at < len(names) and names[at] in _SIZES else value for at, value in enumerate(args)
    )
    return positional, {key: _size(run, value) if key in _SIZES else value for key, value in kwargs.items()}


def _size(run: Run, value: Value) -> Any:
    if isinstance(value, Dim):
        assume_positive_width(run, value)
        return run.knowledge.settled(value)
    if not isinstance(value, Unknown) or isinstance(value, (Alternatives, Never)):
        return value
    refine_to_size(run, value)
    return value.size if isinstance(value, SymbolicArgument) else unknown()
