"""A case that was built: the model on its device, and calls without lasting effects."""

from __future__ import annotations

import asyncio
import inspect
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.parameter import is_lazy

from shapecheck.harness.cases.build import build
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case, CaseError
from shapecheck.harness.contract import contract_of
from shapecheck.harness.fake_build import build_with_fake_tensors
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.sizes import program_sizes
from shapecheck.harness.inputs.specification import InputSpecification
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.inputs.values import Arguments, arguments, positional_arguments
from shapecheck.harness.torch_versions import end_checkpoints


@dataclass
class Subject:
    """A model under test. device: where it lies; fake: the mode in which its tensors have no data."""

    case: Case
    model: nn.Module
    device: torch.device
    seed: int = 0
    fake: FakeTensorMode | None = None
    _buffers: list[tuple[Tensor, Tensor]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.save_buffers()

    @property
    def declared(self) -> Declared:
        """What the case says of itself."""
        return self.case.declared

    @cached_property
    def specification(self) -> InputSpecification:
        """What forward asks for. Raises CaseError where it has no shapes and no inputs are given."""
        contract = contract_of(type(self.model), plain=self.declared.inputs is not None)
        if contract is None:
            raise CaseError("its forward has no annotations to make inputs from: give @shapecheck.case(inputs=...)")
        return InputSpecification(contract, self.model)

    @cached_property
    def attributes(self) -> frozenset[int]:
        """The numbers that the program keeps on its modules."""
        return program_sizes(self.model)

    @cached_property
    def dtype(self) -> torch.dtype:
        """The floating-point dtype of the parameters: that of the first, float32 where there is none."""
        kinds = (one.dtype for one in self.model.parameters() if one.dtype.is_floating_point)
        return next(kinds, torch.get_default_dtype())

    def arguments(self, plan: InputPlan) -> Arguments:
        """Arguments of the sizes of a plan, or those that the case gives."""
        with self.modes():
            if self.declared.inputs is None:
                return arguments(self.specification, plan, self.device, self.dtype)
            return self._given(plan.sizes)

    def _given(self, sizes: Mapping[str, int]) -> Arguments:
        made = self.declared.inputs(dict(sizes))
        named = made if isinstance(made, dict) else None
        if named is None:
            values = made if isinstance(made, tuple) else (made,)
            names = [parameter.name for parameter in self.specification.parameters]
            if len(values) > len(names):
                raise CaseError(f"inputs= gives {len(values)} arguments, and forward takes {len(names)}")
            named = dict(zip(names, values, strict=False))
        return positional_arguments(self.specification, map_tensors(named, lambda _, tensor: tensor.to(self.device)))

    def call(self, given: Arguments) -> Any:
        """What the model gives; buffers and random numbers are as they were before each call."""
        self.restore_buffers()
        with self.modes():
            _seed_everything(self.seed)
            try:
                return drained(self.model(*given.args, **given.kwargs))
            except Exception as error:
                end_checkpoints(error)
                raise

    @contextmanager
    def modes(self) -> Iterator[None]:
        """The modes that a call needs."""
        with ExitStack() as stack:
            stack.enter_context(self.fake or nullcontext())
            yield

    def save_buffers(self) -> None:
        """Take the buffers as they are now for those that every call begins with."""
        if self.fake is None:
            kept = [one for one in self.model.buffers() if not is_lazy(one) and not _is_expanded(one)]
            self._buffers = [(buffer, buffer.detach().clone()) for buffer in kept]

    def restore_buffers(self) -> None:
        """The buffers as they were kept; what forward keeps elsewhere stays."""
        with torch.no_grad(), torch._C.DisableTorchFunction():  # no mode is to take it for a part of the model
            for buffer, kept in self._buffers:  # batch_norm leaves their version counters as they are
                if buffer.shape == kept.shape:
                    buffer.copy_(kept)


def _is_expanded(tensor: torch.Tensor) -> bool:
    """Whether elements lie in one place of memory: torch writes into such a tensor for nobody."""
    if tensor.layout is not torch.strided:
        return False
    return any(size > 1 and stride == 0 for size, stride in zip(tensor.shape, tensor.stride(), strict=True))


def drained(result: Any) -> Any:
    """What forward gives in the end: the items of a generator, what a coroutine returns."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    return list(result) if inspect.isgenerator(result) else result


def _seed_everything(seed: int) -> None:
    """Seeds torch on all devices, Python's own random numbers, and NumPy's where it is loaded."""
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def build_subject(case: Case, device: torch.device, seed: int, fake: bool) -> Subject:
    """Builds the case under a seed, in eval mode. Raises CaseError, or whatever its constructor does."""
    mode = FakeTensorMode(allow_non_fake_inputs=True) if fake else None
    _seed_everything(seed)
    model = build(case).to(device) if mode is None else build_with_fake_tensors(partial(build, case), mode)
    return Subject(case, model.eval(), device, seed, mode)
