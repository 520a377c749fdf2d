"""The calls of modules as a tree, recorded by two hooks that are as short as possible.

A node is one module as called from another one, so that a shared module has a node under each caller.
The path of a node in the model is found afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.module import register_module_forward_pre_hook

from shapecheck.harness.torch_versions import hook_leaving

TensorSummary = tuple[torch.dtype, torch.Size, tuple[int, ...]]
"""A tensor's dtype, sizes and strides; no strides if it is sparse or nested."""

_backward = torch._C._current_graph_task_id


class Node:
    """The totals of one module when called from one other module; flops and moved_bytes without its callees."""

    __slots__ = ("calls", "children", "flops", "inputs", "module", "moved_bytes", "outputs", "parent")

    def __init__(self, module: nn.Module | None, parent: Node | None) -> None:
        self.module, self.parent = module, parent
        self.children: dict[int, Node] = {}
        self.calls = self.flops = self.moved_bytes = 0
        self.inputs: tuple[TensorSummary, ...] = ()
        self.outputs: tuple[TensorSummary, ...] = ()

    def walk(self) -> list[Node]:
        """The node and all below it, callers first."""
        found = [self]
        for node in found:
            found.extend(node.children.values())
        return found

    def above(self) -> Iterator[Node]:
        """The node and its callers, innermost first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class Tree:
    """The running module is `node`; `outside` represents the time when none runs."""

    def __init__(self) -> None:
        self.node = self.outside = Node(None, None)
        self.failed: tuple[BaseException, Node] | None = None
        """The last exception that left a module, and the innermost module that it left."""
        self._stack: list[tuple[nn.Module, Node]] = []
        self._thread = 0
        self._removals: list[Callable[[], None]] = []

    def watch(self) -> None:
        """Starts to follow the modules that this thread calls."""
        self._thread = get_ident()
        self._removals = [register_module_forward_pre_hook(self._enters).remove, hook_leaving(self._leaves)]

    def leave(self) -> None:
        """Stops following; no module is running any longer."""
        for remove in self._removals:
            remove()
        self._removals, self._stack = [], []
        self.node = self.outside

    def _enters(self, module: nn.Module, args: tuple[Any, ...]) -> None:
        if get_ident() != self._thread or _backward() != -1:  # modules that run again in backward are part of it
            return
        caller = self.node
        self._stack.append((module, caller))
        key = id(module)
        node = caller.children.get(key)
        if node is None:
            node = caller.children[key] = Node(module, caller)
        self.node = node

    def _leaves(self, module: nn.Module, args: tuple[Any, ...], *rest: Any) -> None:
        """rest: the keywords and the result, or None alone where an exception leaves the module."""
        if get_ident() != self._thread or not self._stack or _backward() != -1:
            return
        node = self._popped(module)
        if node is None:
            return
        if not node.calls:
            named = len(rest) == 2 and rest[0]
            node.inputs = tensor_summaries((args, named) if named else args[0] if len(args) == 1 else args)
            node.outputs = tensor_summaries(rest[-1])
        node.calls += 1
        if len(rest) != 2:
            self._note_failure(node)

    def _popped(self, module: nn.Module) -> Node | None:
        """Returns to the caller of `module`; callees that ended without a hook are dropped. None without one."""
        node = self.node
        while self._stack[-1][0] is not module:
            if all(entered is not module for entered, _ in self._stack):
                return None
            node = self._stack.pop()[1]
        self.node = self._stack.pop()[1]
        return node

    def _note_failure(self, node: Node) -> None:
        error = sys.exc_info()[1]
        if error is not None and (self.failed is None or self.failed[0] is not error):
            self.failed = (error, node)


def tensor_summaries(value: Any) -> tuple[TensorSummary, ...]:
    """The tensors of a value, including those in lists, tuples and dicts, by dtype, sizes and strides."""
    if type(value) is Tensor:
        return (_summary(value),)
    found: list[TensorSummary] = []
    _look(value, found)
    return tuple(found)


def _summary(tensor: Tensor) -> TensorSummary:
    return tensor.dtype, tensor.shape, tensor.stride() if tensor.layout is torch.strided else ()


def _look(value: Any, found: list[TensorSummary]) -> None:
    if isinstance(value, Tensor):
        found.append(_summary(value))
    elif isinstance(value, (list, tuple)):
        for one in value:
            _look(one, found)
    elif isinstance(value, dict):
        for one in value.values():
            _look(one, found)
