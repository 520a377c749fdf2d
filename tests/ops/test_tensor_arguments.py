"""Which arguments of a call are tensors by the parameters of the operator or layer."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck.ops import infer, tensor_arguments


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "expected"),
    [
        ("Tensor.masked_fill", ("x", "mask", 0.0), {}, ["x", "mask"]),
        ("Tensor.masked_fill", ("x",), {"mask": "mask", "value": 0.0}, ["x", "mask"]),
        ("torch.where", ("condition", "x", 0.0), {}, ["condition"]),
        ("torch.nn.functional.cross_entropy", ("x", "target"), {}, ["x", "target"]),
        ("torch.add", ("x", "y"), {}, []),
        ("no.such_operator", ("x",), {}, []),
        ("Tensor.masked_fill", ("x", "mask", 0.0, "too many"), {}, []),
    ],
)
def test_operators(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], expected: list[str]) -> None:
    assert tensor_arguments(name, args, kwargs) == expected


def test_an_optional_tensor_is_one_only_if_it_is_not_none() -> None:
    attention = infer("nn.MultiheadAttention", 8, 2)
    given = {"key_padding_mask": "padding", "need_weights": "weights"}
    assert tensor_arguments(attention, ("q", "k", "v"), given) == ["q", "k", "v"]
    assert tensor_arguments(attention, ("q", "k", "v"), given, optional=True) == ["q", "k", "v", "padding"]
