"""`torch.nn.utils.parametrize`: a parametrization computes a parameter from another one."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.holders import havoc_holders
from shapecheck.static.engine.run import Run


def _register(
    run: Run,
    node: ast.AST,
    module: Value = None,
    tensor_name: Value = None,
    parametrization: Value = None,
    *_: Value,
    unsafe: Value = False,
    **__: Value,
) -> Value:
    """`register_parametrization`: with `unsafe=True`, the parameter may have another shape afterwards."""
    if truth(unsafe) is not False:
        if isinstance(module, ModuleSpec):
            havoc_holders(run, module)
        elif isinstance(module, Instance) and isinstance(tensor_name, str):
            run.journal.write(module, tensor_name, Unknown("a parameter with a parametrization"))
        return Unknown("a module with a parametrization")
    return module


ASKING: dict[str, Callable[..., Value]] = {"torch.nn.utils.parametrize.register_parametrization": _register}
