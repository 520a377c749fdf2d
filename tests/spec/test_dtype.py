"""spec.dtype against the torch that is installed: every dtype, every pair, every category."""

from __future__ import annotations

import copy
import itertools
import pickle
import warnings
from collections.abc import Callable

import pytest
import torch

from shapecheck.spec import dtype as dt
from shapecheck.spec.dtype import (
    DIMENSIONED,
    DTYPES,
    NUMBER,
    ZERO_DIM,
    DType,
    as_dtype,
    dtype_of_number,
    promote,
    result_type,
)
from shapecheck.spec.errors import DTypeError
from tests.steps import steps
from tests.versions import TORCH, since

TORCH_NAMES = {name: value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
TORCH_DTYPES = {str(value).removeprefix("torch."): value for value in TORCH_NAMES.values()}
KNOWN = sorted(DTYPES.keys() & TORCH_DTYPES.keys())  # an older torch has fewer
PLAIN = ["bool", "uint8", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64"]
PLAIN += ["complex32", "complex64", "complex128"]


def name_or_refusal(function: Callable[..., object], *args: object) -> str:
    try:
        return str(function(*args))
    except (DTypeError, RuntimeError):
        return "refused"


def test_every_dtype_of_torch_is_known() -> None:
    assert TORCH_DTYPES.keys() <= DTYPES.keys()
    assert all(DTYPES[name].name == name for name in DTYPES)


SMALL = {f"uint{bits}" for bits in range(1, 8)}
"""torch 2.4 says that these are signed."""


@pytest.mark.parametrize("name", KNOWN)
def test_facts_of_a_dtype(name: str) -> None:
    ours, theirs = DTYPES[name], TORCH_DTYPES[name]
    assert repr(ours) == str(ours) == repr(theirs)
    assert ours.name == name
    assert ours.itemsize == theirs.itemsize
    assert ours.is_floating == theirs.is_floating_point
    assert ours.is_complex == theirs.is_complex
    assert name_or_refusal(ours.to_complex) == name_or_refusal(theirs.to_complex)
    assert name_or_refusal(ours.to_real) == name_or_refusal(theirs.to_real)
    assert as_dtype(theirs) is ours
    integral = ours.kind in ("signed", "unsigned")
    assert ours.is_integral == integral
    if integral and (name not in SMALL or TORCH >= (2, 8)):
        assert theirs.is_signed == (ours.kind == "signed")


def test_constants_have_their_names() -> None:
    for name, ours in DTYPES.items():
        assert getattr(dt, "bool_" if name == "bool" else name) is ours


@pytest.mark.parametrize("name", sorted(TORCH_NAMES))
def test_aliases(name: str) -> None:
    expected = as_dtype(TORCH_NAMES[name])
    assert as_dtype(name) is expected
    assert as_dtype(f"torch.{name}") is expected


@pytest.mark.parametrize(
    "python_type", [bool, int, float, pytest.param(complex, marks=since(2, 8, "it does not take complex as a dtype"))]
)
def test_python_types(python_type: type) -> None:
    asked_for = torch.zeros(1, dtype=python_type).dtype  # type: ignore[call-overload]  # torch takes Python's types
    assert str(as_dtype(python_type)) == str(asked_for)
    assert str(dtype_of_number(python_type(1))) == str(torch.tensor(python_type(1)).dtype)


@pytest.mark.parametrize(
    "value",
    ["float31", "", "torch.", "torch.torch.int", None, 3, str, object(), [1], "numpy.int8"],
)
def test_no_dtype(value: object) -> None:
    with pytest.raises(DTypeError):
        as_dtype(value)


def test_copies_are_the_same_object() -> None:
    for ours in DTYPES.values():
        assert copy.deepcopy(ours) is copy.copy(ours) is pickle.loads(pickle.dumps(ours)) is as_dtype(ours) is ours


def test_promotion_of_every_pair() -> None:
    wrong = []
    for left, right in itertools.product(KNOWN, KNOWN):
        expected = name_or_refusal(torch.promote_types, TORCH_DTYPES[left], TORCH_DTYPES[right])
        for _ in range(2):  # the second comes from the memo
            got = name_or_refusal(promote, DTYPES[left], DTYPES[right])
            if got != expected:
                wrong.append((left, right, got, expected))
    assert not wrong


def test_refusal_names_both() -> None:
    with pytest.raises(DTypeError, match=r"torch\.float8_e5m2 and torch\.int64"):
        promote(dt.float8_e5m2, dt.int64)


NUMBERS = {"bool": True, "int64": 2, "float32": 2.5, "complex64": 2j}


def torch_operands() -> list[tuple[object, tuple[DType, dt.Category]]]:
    operands: list[tuple[object, tuple[DType, dt.Category]]] = [
        (number, (DTYPES[name], NUMBER)) for name, number in NUMBERS.items()
    ]
    for name in KNOWN:
        for shape, category in (((2,), DIMENSIONED), ((), ZERO_DIM)):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tensor = torch.empty(shape, dtype=TORCH_DTYPES[name], device="meta")
            except RuntimeError:  # quantised dtypes have no plain tensors
                continue
            operands.append((tensor, (DTYPES[name], category)))
    return operands


def test_result_type_of_every_pair() -> None:
    operands = torch_operands()
    assert len(operands) > 60
    wrong = []
    for (left, our_left), (right, our_right) in itertools.product(operands, operands):
        expected = name_or_refusal(torch.result_type, left, right)
        got = name_or_refusal(result_type, [our_left, our_right])
        if got != expected:
            wrong.append((our_left, our_right, got, expected))
    assert not wrong


def test_result_type_of_three() -> None:
    """Tensors of one category promote first; torch.result_type takes two, so those two are added beforehand."""
    for left, middle, right in itertools.product(PLAIN, repeat=3):
        first = torch.promote_types(TORCH_DTYPES[left], TORCH_DTYPES[right])
        expected = torch.result_type(torch.empty(2, dtype=TORCH_DTYPES[middle]), torch.empty((), dtype=first))
        ours = result_type([(DTYPES[left], ZERO_DIM), (DTYPES[middle], DIMENSIONED), (DTYPES[right], ZERO_DIM)])
        assert str(ours) == str(expected), (left, middle, right)


def test_result_type_wants_operands() -> None:
    with pytest.raises(DTypeError):
        result_type([])


def all_answers(operands: list[dt.Operand]) -> set[str]:
    """What result_type says for each way of filling in the unknowns."""
    choices = []
    for dtype, category in operands:
        dtypes = [DTYPES[name] for name in PLAIN] if dtype is None else [dtype]
        categories: list[dt.Category] = [DIMENSIONED, ZERO_DIM] if category is None else [category]
        choices.append(list(itertools.product(dtypes, categories)))
    return {name_or_refusal(result_type, filled) for filled in itertools.product(*choices)}


OPERANDS: list[dt.Operand] = [
    (None if name == "?" else DTYPES[name], category)
    for name in ("?", "bool", "int64", "float16", "float32", "complex64", "complex128")
    for category in (DIMENSIONED, ZERO_DIM, NUMBER, None)
]


def test_unknown_operands_are_certain_only_when_they_cannot_matter() -> None:
    for pair in itertools.combinations_with_replacement(OPERANDS, 2):
        if all(dtype is not None and category is not None for dtype, category in pair):
            continue
        answers = all_answers(list(pair))
        got = result_type(pair)
        assert (None if got is None else {str(got)}) == (answers if len(answers) == 1 else None), pair


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ([(dt.complex128, DIMENSIONED), (None, DIMENSIONED)], "torch.complex128"),
        ([(dt.complex64, DIMENSIONED), (None, NUMBER)], "torch.complex64"),
        ([(dt.float32, DIMENSIONED), (None, NUMBER)], "None"),  # 1j would make it complex
        ([(dt.float32, DIMENSIONED), (None, DIMENSIONED)], "None"),
        ([(dt.float32, None), (dt.int64, DIMENSIONED)], "torch.float32"),
        ([(dt.int64, None), (dt.int32, DIMENSIONED)], "None"),
        ([(dt.float8_e5m2, DIMENSIONED), (None, DIMENSIONED)], "None"),
        ([(None, DIMENSIONED)] * 10_000, "None"),
    ],
)
def test_unknown_operands(operands: list[dt.Operand], expected: str) -> None:
    assert str(result_type(operands)) == expected


def test_many_unknown_ranks_stay_cheap() -> None:
    operands: list[dt.Operand] = [(DTYPES[name], None) for name in PLAIN]
    assert result_type(operands) is None
    assert steps(lambda: result_type(operands)) < 1_000
