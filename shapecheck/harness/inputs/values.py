"""Makes the arguments of one call."""

from __future__ import annotations

import enum
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter
from typing import Any

import torch
from torch import Tensor

from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.formatting import first_line
from shapecheck.harness.inputs.flags import flags_of
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.specification import InputSpecification, accepts_anything, generated_member
from shapecheck.runtime.constraints import ChannelsLast, OnDevice
from shapecheck.runtime.describe import type_text
from shapecheck.runtime.hints import (
    AnythingHint,
    ArrayHint,
    ClassHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
    has_arrays,
)

_ITEMS = 2
_PLAIN: dict[object, Any] = {bool: False, int: 1, float: 0.5, str: "", type(None): None, None: None}


@dataclass
class Arguments:
    """The arguments of forward, by position and by name, and all of them by parameter."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    named: dict[str, Any]


def arguments(
    specification: InputSpecification, plan: InputPlan, device: torch.device, dtype: torch.dtype
) -> Arguments:
    """Arguments that match the annotations. dtype: the floating-point dtype to use if several are allowed.

    Raises CaseError for a parameter for which no value can be generated.
    """
    maker = _Maker(specification, plan, device, dtype)
    named = {
        parameter.name: None
        if parameter.name in plan.absent
        else maker.value(specification.contract.arguments[parameter.name], parameter.name)
        for parameter in specification.parameters
        if _is_given(parameter, specification, plan)
    }
    return positional_arguments(specification, named)


def positional_arguments(specification: InputSpecification, named: Mapping[str, Any]) -> Arguments:
    """The arguments, positional ones first, as a caller would write them."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter in specification.parameters:
        if parameter.name not in named:
            continue
        value = named[parameter.name]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            args.extend(value)
        elif parameter.kind is Parameter.VAR_KEYWORD:
            kwargs.update(value)
        elif parameter.kind is Parameter.KEYWORD_ONLY or len(args) < _position(specification, parameter):
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return Arguments(tuple(args), kwargs, dict(named))


def _position(specification: InputSpecification, parameter: Parameter) -> int:
    return specification.parameters.index(parameter)


def _is_given(parameter: Parameter, specification: InputSpecification, plan: InputPlan) -> bool:
    if parameter.name in plan.absent:
        return parameter.default is Parameter.empty
    hint = specification.contract.arguments[parameter.name]
    return has_arrays(hint) or (parameter.default is Parameter.empty and not accepts_anything(parameter))


class _Maker:
    def __init__(
        self, specification: InputSpecification, plan: InputPlan, device: torch.device, dtype: torch.dtype
    ) -> None:
        self.specification = specification
        self.plan = plan
        self.device = device
        self.dtype = dtype
        self.random = torch.Generator().manual_seed(plan.seed)

    def value(self, hint: Hint, place: str) -> Any:
        return _MAKERS[type(hint)](self, hint, place)

    def _anything(self, hint: AnythingHint, place: str) -> Any:
        if place in flags_of(type(self.specification.model).forward):
            return True
        raise CaseError(f"forward has no annotation for {place}; annotate it or pass @shapecheck.case(inputs=...)")

    def _plain(self, hint: ClassHint, place: str) -> Any:
        wanted = hint.hint
        if typing.get_origin(wanted) is typing.Literal:
            return typing.get_args(wanted)[0]
        if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
            return next(iter(wanted))
        if wanted in _PLAIN:
            return _PLAIN[wanted]
        if wanted is Tensor:
            raise CaseError(f'annotation Tensor of {place} has no shape; write Float[Tensor, "..."] or pass inputs=...')
        raise CaseError(
            f"cannot generate a value of {type_text(wanted)} for {place}; pass @shapecheck.case(inputs=...)"
        )

    def _choice(self, hint: UnionHint, place: str) -> Any:
        chosen = generated_member(hint)
        return None if chosen is None else self.value(chosen, place)

    def _items(self, hint: SequenceHint, place: str) -> Any:
        made = [self.value(hint.item, f"{place}[]") for _ in range(_ITEMS)]
        return tuple(made) if hint.kind is tuple else made

    def _places(self, hint: TupleHint, place: str) -> Any:
        return tuple(self.value(item, f"{place}[{index}]") for index, item in enumerate(hint.items))

    def _values(self, hint: MappingHint, place: str) -> Any:
        return {name: self.value(hint.value, f"{place}[]") for name in ("first", "second")}

    def _fields(self, hint: RecordHint, place: str) -> Any:
        given = {name: self.value(field, f"{place}.{name}") for name, field in hint.fields}
        given = {**_plain_fields(hint.kind), **given}
        try:
            return hint.kind(**given)
        except Exception as wrong:  # the record is the program's
            what = f"{type_text(hint.kind)} for {place}"
            raise CaseError(f"cannot create {what}: {first_line(wrong)}; pass @shapecheck.case(inputs=...)") from None

    def _array(self, hint: ArrayHint, place: str) -> Tensor:
        shape = self.specification.shape(place, hint, self.plan.sizes, self.plan.narrow)
        made = self._filled(shape, self._dtype_of(hint, place), place).to(self.device)
        for promise in hint.promises:
            if promise is ChannelsLast and made.dim() in (4, 5):
                channels_last = torch.channels_last if made.dim() == 4 else torch.channels_last_3d
                made = made.contiguous(memory_format=channels_last)
            elif isinstance(promise, OnDevice):
                made = made.to(promise.device)
        return made

    def _dtype_of(self, hint: ArrayHint, place: str) -> torch.dtype:
        chosen = self.plan.dtypes.get(place)
        if chosen is not None:
            return chosen
        preferred = (self.dtype, torch.float32, torch.int64, torch.bool, torch.complex64, torch.int32, torch.uint8)
        for dtype in (*preferred, torch.bfloat16, torch.float16, torch.float64, torch.int16, torch.int8):
            if hint.dtypes.allow(dtype):
                return dtype
        raise CaseError(f"cannot create a tensor with {hint.dtypes.description} for {place}")

    def _filled(self, shape: tuple[int, ...], dtype: torch.dtype, place: str) -> Tensor:
        if dtype is torch.bool:
            return _mask(torch.rand(shape, generator=self.random) < 0.5)
        if dtype.is_complex:
            return torch.randn(shape, dtype=dtype, generator=self.random)
        if dtype.is_floating_point:
            draw = torch.rand if self.plan.unit else torch.randn
            return draw(shape, generator=self.random).to(dtype)
        return self._integers(shape, place).to(dtype)

    def _integers(self, shape: tuple[int, ...], place: str) -> Tensor:
        low, high = self.plan.ranges.get(place, (0, 1))
        drawn = torch.randint(low, high + 1, shape, generator=self.random)
        if place in self.plan.starts and drawn.numel():
            drawn.flatten()[0] = 0
            return drawn.sort(dim=0).values
        if self.plan.descending and shape:
            return drawn.sort(dim=0, descending=True).values
        # Both ends occur: only the greatest value reveals an index that is one too large.
        flat = drawn.flatten()
        if flat.numel() > 1:
            flat[0], flat[-1] = high, low
        return flat.reshape(shape)


def _plain_fields(kind: type) -> dict[str, Any]:
    """Values for fields of a dataclass that have neither a tensor nor a default."""
    if not is_dataclass(kind):
        return {}
    try:
        hints = typing.get_type_hints(kind)
    except Exception:  # an annotation can be any expression
        return {}
    needed = [
        one.name for one in fields(kind) if one.init and one.default is MISSING and one.default_factory is MISSING
    ]
    return {name: _PLAIN[hints[name]] for name in needed if isinstance(hints[name], type) and hints[name] in _PLAIN}


def _mask(drawn: Tensor) -> Tensor:
    """The mask with both values along its last dimension, if that has more than one element."""
    if drawn.dim() and drawn.shape[-1] > 1:
        drawn[..., 0], drawn[..., -1] = True, False
    return drawn


_MAKERS: dict[type, Any] = {
    AnythingHint: _Maker._anything,
    ArrayHint: _Maker._array,
    UnionHint: _Maker._choice,
    RecordHint: _Maker._fields,
    SequenceHint: _Maker._items,
    TupleHint: _Maker._places,
    ClassHint: _Maker._plain,
    MappingHint: _Maker._values,
}
