"""`Probe`: a context manager that observes a model without changing it."""

from __future__ import annotations

import sys
import warnings
from contextlib import ExitStack
from types import FrameType, TracebackType

import torch
from torch import Tensor, nn

from shapecheck.harness.probe.lines import Lines
from shapecheck.harness.probe.mode import ProbeMode
from shapecheck.harness.probe.paths import Paths
from shapecheck.harness.probe.records import module_records
from shapecheck.harness.probe.transfers import Transfers
from shapecheck.harness.probe.tree import Tree
from shapecheck.harness.results import LineRecord, ModuleRecord
from shapecheck.runtime.guards.places import place_of_caller


class Probe:
    """Observes what this thread runs in a `with` block: the forward of `model`, its loss, and backward.

    `flops` and `moved_bytes` are of what runs outside backward, `backward_flops` of backward, in single operations and
    bytes; `modules()` and `lines()` say where. Works on any device and under FakeTensorMode.
    Modules that are not below the model, and other threads, are ignored. A probe can be entered
    again; it continues counting.
    """

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._tree, self._lines = Tree(), Lines()
        self._device = _device_of(model)
        self._watch = ProbeMode(self._tree, self._lines, self._device)
        self._around: ExitStack | None = None
        self._paths: Paths | None = None
        self.where = ""
        """The path of the innermost module that was running when an exception left the block; empty for the model
        itself and for what runs in no module."""

    def __enter__(self) -> Probe:
        self._paths = None  # a forward may build modules
        with ExitStack() as around:
            if _is_compiled(self._model):
                _silence_hook_warning(around)
            transfers = Transfers(self._transferred)
            around.callback(transfers.leave)
            transfers.watch()
            around.callback(self._tree.leave)
            self._tree.watch()
            around.enter_context(self._watch)
            self._around = around.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        around, self._around = self._around, None
        failed, running = self._tree.failed, self._tree.node
        if around is not None:
            around.close()
        self._watch.forget()
        if error is not None:
            node = failed[1] if failed is not None and failed[0] is error else running
            self.where = self._known_paths().of(node)
        self._tree.failed = None  # its traceback holds the tensors of the run

    @property
    def flops(self) -> int:
        """Of the products, convolutions and attentions that ran outside backward; see `probe.flops`."""
        return int(sum(node.flops for node in self._tree.outside.walk()))

    @property
    def moved_bytes(self) -> int:
        """Bytes that operators read and wrote outside backward, if nothing is cached."""
        return int(sum(node.moved_bytes for node in self._tree.outside.walk()))

    @property
    def backward_flops(self) -> int:
        """The same for the operators of autograd."""
        return self._watch.backward.flops

    @property
    def dtype(self) -> torch.dtype | None:
        """The dtype of most flops; under autocast it differs from that of the parameters."""
        done = self._watch.flops_by_dtype
        return max(done, key=lambda dtype: done[dtype]) if done else None

    def modules(self) -> tuple[ModuleRecord, ...]:
        """A record for each path of the model, in the order of `named_modules`, the model itself first."""
        return module_records(self._known_paths(), self._tree.outside)

    def lines(self) -> tuple[LineRecord, ...]:
        """The events of lines of the program, by file and line."""
        return self._lines.records(lambda node: self._known_paths().of(node))

    def _known_paths(self) -> Paths:
        if self._paths is None:
            self._paths = Paths(self._model)
        return self._paths

    def _transferred(self, method: str, tensor: Tensor, frame: FrameType) -> None:
        """On other devices this calls an operator, which the mode sees."""
        if tensor.device.type == self._device == "cpu" and not self._watch.is_literal(tensor):
            self._lines.add("sync", method, tensor.nbytes, self._tree.node, place_of_caller(frame))


def _device_of(model: nn.Module) -> str:
    """The kind of device that the model is on, by its first parameter or buffer; `cpu` where it has none."""
    for tensors in (model.parameters(), model.buffers()):
        for one in tensors:
            return one.device.type
    return torch.get_default_device().type


def _is_compiled(model: nn.Module) -> bool:
    """Whether torch.compile has wrapped a module, which warns of hooks for all modules when it is called."""
    if "torch._dynamo" not in sys.modules:
        return False
    return any(type(one).__name__ == "OptimizedModule" for one in model.modules())


def _silence_hook_warning(around: ExitStack) -> None:
    around.enter_context(warnings.catch_warnings())
    warnings.filterwarnings("ignore", message=r"Using `torch\.compile\(module\)` when there are global hooks")
