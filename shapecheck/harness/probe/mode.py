"""The dispatch mode of the probe: sees each operator below autograd, and counts its cost.

Every call is handled here: work that is not needed for each of them is done elsewhere, or afterwards.
"""

from __future__ import annotations

import sys
from typing import Any
from weakref import ref

import torch

from shapecheck.harness.probe.dynamo import Mode
from shapecheck.harness.probe.lines import Lines
from shapecheck.harness.probe.operator_observers import LITERAL, OperatorObserver
from shapecheck.harness.probe.operator_plans import PLANS, OperatorPlan, plan_of
from shapecheck.harness.probe.tree import Node, Tree
from shapecheck.runtime.guards.places import place_of_caller

_NUMBERS = (int, float, bool)
_backward = torch._C._current_graph_task_id


class ProbeMode(Mode):  # type: ignore[no-untyped-call]
    """Adds flops and bytes to the running node, and records lines; the operator itself is called unchanged."""

    def __init__(self, tree: Tree, lines: Lines, device: str) -> None:
        super().__init__()
        self.backward = Node(None, None)
        """The flops of autograd."""
        self.flops_by_dtype: dict[torch.dtype, int] = {}
        """The flops of the products, by the dtype of their operands."""
        self._tree, self._lines, self._device = tree, lines, device
        self._literals: dict[int, ref[Any]] = {}
        """Tensors that are on the CPU whatever the device of the model is, by identity."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Calls the operator; its exceptions propagate unchanged, and calls that cannot be counted are ignored."""
        plan = PLANS.get(id(func)) or plan_of(func)
        if plan.is_free:
            return plan.run(*args, **kwargs) if kwargs else plan.run(*args)
        if plan.parts is not None:
            with self:
                return plan.parts(*args, **(kwargs or {}))
        if plan.before is not None:
            self._observe(plan.before, plan, args, kwargs)
        result = plan.run(*args, **kwargs) if kwargs else plan.run(*args)
        if args and (type(args[0]) in _NUMBERS or id(args[0]) in self._literals):
            self._derive(args, kwargs, result)
        tree = self._tree
        node = self.backward if tree.node is tree.outside and _backward() != -1 else tree.node
        try:
            if plan.moved is not None:
                node.moved_bytes += plan.moved(args, result)
            if plan.flops is not None:
                self._add_flops(node, plan.flops(args, result), args[1])
            if plan.after is not None:
                noted = plan.after(args, kwargs, result, self._device)
                if noted is not None:
                    self._note(*noted, plan, args, result)
        except Exception:  # a sparse or nested tensor, or one whose sizes are not known yet
            pass
        return result

    def _add_flops(self, node: Node, flops: int, factor: Any) -> None:
        """factor: the second argument, which is multiplied in nearly all operators that have a formula."""
        node.flops += flops
        dtype = factor.dtype
        self.flops_by_dtype[dtype] = self.flops_by_dtype.get(dtype, 0) + flops

    def is_literal(self, tensor: Any) -> bool:
        """Whether a tensor was created from numbers of the program, or computed from such tensors alone."""
        found = self._literals.get(id(tensor))
        return found is not None and found() is tensor

    def forget(self) -> None:
        """Releases all tensors of the run."""
        self._literals.clear()

    def _derive(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any) -> None:
        """Adds a result without a device of its own, if all of its arguments are literals or numbers."""
        items = (item for one in args for item in (one if isinstance(one, (list, tuple)) else (one,)))
        known = all(not isinstance(one, torch.Tensor) or self.is_literal(one) for one in items)
        if known and isinstance(result, torch.Tensor) and not (kwargs and "device" in kwargs):
            self._literals[id(result)] = ref(result)

    def _observe(
        self, look: OperatorObserver, plan: OperatorPlan, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> None:
        try:
            noted = look(args, kwargs, None, self._device)
            if noted is not None:
                self._note(*noted, plan, args, None)
        except Exception:
            pass

    def _note(self, kind: str, moved_bytes: int, plan: OperatorPlan, args: tuple[Any, ...], result: Any) -> None:
        """Records what a line does; not in backward, where no line of the program runs."""
        if kind == LITERAL:
            self._literals[id(result)] = ref(result)
        elif _backward() == -1 and (kind != "sync" or not self.is_literal(args[0])):
            place = place_of_caller(sys._getframe(2))
            self._lines.add(kind, plan.name, moved_bytes, self._tree.node, place)
