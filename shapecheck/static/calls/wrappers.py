"""torch.compile, jit.script, DistributedDataParallel: what they give is called as what they are given."""

from __future__ import annotations

import ast

from shapecheck.static.domain.values import ExternalName, Partial, Value
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
"""Each with the name of the parameter that takes the model.

Not DataParallel: it gives each GPU a part of the batch, and makes one axis of what each of them gives without any.
"""
WRAPPERS = frozenset(_PARAMETERS)


def wrapped(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The model or function itself; where options alone are given, what takes it."""
    if args:
        return args[0]
    model = kwargs.get(_PARAMETERS[name])
    return Partial(ExternalName(name), (), kwargs) if model is None else model
