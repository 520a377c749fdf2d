"""Transparent wrappers: torch.compile, jit.script, DistributedDataParallel."""

from __future__ import annotations

import ast

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.values import ExternalReference, Partial
from shapecheck.static.engine.run import Run

_PARAMETERS = {
    "torch.compile": "model",
    "torch.compiler.disable": "fn",
    "torch._dynamo.disable": "fn",
    "torch.jit.script": "obj",
    "torch.nn.parallel.DistributedDataParallel": "module",
    "torch.nn.parallel.distributed.DistributedDataParallel": "module",
    "torch.distributed.fsdp.FullyShardedDataParallel": "module",
    "torch.distributed.fsdp.fully_shard": "module",
    "torch.distributed._composable.fsdp.fully_shard": "module",
}
"""The name of the parameter that takes the model, for each wrapper.

Not DataParallel: it splits the batch among GPUs, and stacks scalar results along a new axis.
"""
WRAPPERS = frozenset(_PARAMETERS)


def wrapped(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """Returns the model or function itself; a decorator if there are only options."""
    if args:
        return args[0]
    model = kwargs.get(_PARAMETERS[name])
    return Partial(ExternalReference(name), (), kwargs) if model is None else model
