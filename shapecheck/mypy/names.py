"""Full names in torch, and predicates on classes."""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.nodes import TypeInfo
from mypy.types import Instance

MODULE = "torch.nn.modules.module.Module"
SEQUENTIAL = "torch.nn.modules.container.Sequential"
MODULE_LIST = "torch.nn.modules.container.ModuleList"
MODULE_DICT = "torch.nn.modules.container.ModuleDict"
CONTAINERS = frozenset({SEQUENTIAL, MODULE_LIST, MODULE_DICT})


def is_module(info: TypeInfo) -> bool:
    """Whether the class is `nn.Module` or derives from it."""
    return info.has_base(MODULE)


def definer(info: TypeInfo, name: str) -> TypeInfo | None:
    """The class in the MRO that defines `name`."""
    return next((base for base in info.mro if name in base.names), None)


def calls_forward(info: TypeInfo) -> bool:
    """Whether calling an instance runs `forward` through Module's own `__call__`."""
    if not is_module(info):
        return False
    caller = definer(info, "__call__")
    if caller is None or caller.fullname != MODULE:
        return False
    if not info.fallback_to_any:
        return True
    # A base that is Any may bring its own forward; it cannot when it comes after the class that defines ours.
    runner = definer(info, "forward")
    return runner is not None and runner.fallback_to_any


def tensor(checker: TypeChecker) -> Instance | None:
    """`torch.Tensor`, None in a build without it."""
    module = checker.modules.get("torch._tensor")
    symbol = module.names.get("Tensor") if module else None
    return Instance(symbol.node, []) if symbol and isinstance(symbol.node, TypeInfo) else None
