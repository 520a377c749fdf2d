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
from shapecheck.harness.cases.model import NO_SHAPES, Case, CaseError, KnownInputs
from shapecheck.harness.contract import contract_of, has_shapes
from shapecheck.harness.fake_build import build_with_fake_tensors
from shapecheck.harness.fake_dispatch import use_quick_dispatch
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.sizes import program_sizes
from shapecheck.harness.inputs.specification import InputSpecification
from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.inputs.values import Arguments, arguments, positional_arguments
from shapecheck.harness.inputs.well_known import known_specification
from shapecheck.harness.torch_versions import end_checkpoints
from shapecheck.runtime.describe import plural


@dataclass
class Subject:
    """A model under test. device: that of its tensors; fake: the mode in which they have no data."""

    case: Case
    model: nn.Module
    device: torch.device
    seed: int = 0
    fake: FakeTensorMode | None = None
    known: KnownInputs | None = None
    """The inputs that are assumed, because forward has no annotations."""
    _buffers: list[tuple[Tensor, Tensor]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.save_buffers()

    @property
    def declared(self) -> Declared:
        """The declaration of the case."""
        return self.case.declared

    @cached_property
    def specification(self) -> InputSpecification:
        """What forward requires. Raises CaseError if it has no shapes and no inputs are given."""
        if self.known is not None:
            specification = known_specification(self.model, self.known)
            if specification is None:
                raise CaseError(NO_SHAPES)
            return specification
        contract = contract_of(type(self.model), plain=self.declared.inputs is not None)
        if contract is None:
            raise CaseError("forward has no annotations to generate inputs from; pass @shapecheck.case(inputs=...)")
        return InputSpecification(contract, self.model)

    @property
    def needs_inputs(self) -> bool:
        """Whether its inputs follow neither from annotations nor from the case."""
        return self.declared.inputs is None and not has_shapes(type(self.model))

    def assume(self, known: KnownInputs) -> None:
        """Use these inputs from now on."""
        self.known = known
        vars(self).pop("specification", None)

    @cached_property
    def attributes(self) -> frozenset[int]:
        """The numbers among the attributes of the modules."""
        return program_sizes(self.model)

    @cached_property
    def dtype(self) -> torch.dtype:
        """The floating-point dtype of the first parameter, float32 if there is none."""
        kinds = (one.dtype for one in self.model.parameters() if one.dtype.is_floating_point)
        return next(kinds, torch.get_default_dtype())

    def arguments(self, plan: InputPlan) -> Arguments:
        """Arguments with the sizes of a plan, or those that the case provides."""
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
                raise CaseError(f"forward takes {plural(len(names), 'argument')}, but inputs= returns {len(values)}")
            named = dict(zip(names, values, strict=False))
        return positional_arguments(self.specification, map_tensors(named, lambda _, tensor: tensor.to(self.device)))

    def call(self, given: Arguments) -> Any:
        """The result of the model; buffers and random numbers are restored before each call."""
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
        """Use the current buffers at the start of every call."""
        if self.fake is None:
            kept = [one for one in self.model.buffers() if not is_lazy(one) and not _is_expanded(one)]
            self._buffers = [(buffer, buffer.detach().clone()) for buffer in kept]

    def restore_buffers(self) -> None:
        """Restore the saved buffers; state that forward keeps elsewhere is unchanged."""
        with torch.no_grad(), torch._C.DisableTorchFunction():  # modes must not observe this as part of the model
            for buffer, kept in self._buffers:  # batch_norm does not change their version counters
                if buffer.shape == kept.shape:
                    buffer.copy_(kept)


def _is_expanded(tensor: torch.Tensor) -> bool:
    """Whether elements share memory: torch does not write into such a tensor."""
    if tensor.layout is not torch.strided:
        return False
    return any(size > 1 and stride == 0 for size, stride in zip(tensor.shape, tensor.stride(), strict=True))


def drained(result: Any) -> Any:
    """The final result of forward: the items of a generator, the result of a coroutine."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    return list(result) if inspect.isgenerator(result) else result


def _seed_everything(seed: int) -> None:
    """Seeds torch on all devices, Python's random numbers, and those of NumPy if it is loaded."""
    _seed_torch(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def _seed_torch(seed: int) -> None:
    """`torch.manual_seed`, which formats the stack for each kind of device that is not there."""
    accelerator = getattr(torch, "accelerator", None)  # since torch 2.6
    if accelerator is None or accelerator.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


def build_subject(case: Case, device: torch.device, seed: int, fake: bool) -> Subject:
    """Builds the case with a seed, in eval mode. Raises CaseError, or any exception of its constructor."""
    mode = use_quick_dispatch(FakeTensorMode(allow_non_fake_inputs=True)) if fake else None
    _seed_everything(seed)
    model = build(case).to(device) if mode is None else build_with_fake_tensors(partial(build, case), mode)
    return Subject(case, model.eval(), device, seed, mode)
