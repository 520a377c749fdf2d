"""Every layer of torch.nn and every function of torch.nn.functional is here, with torch's own parameters.

So are the native variants of operators, which have the parameters of their schemas, not of the operator they vary.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from shapecheck.ops import find
from shapecheck.ops.keywords import in_own_words
from tests.versions import since

pytestmark = since(2, 13, "the operators have the parameters that they have there")

# Bases that are never called, and one whose constructor takes *args.
NO_LAYERS = frozenset(("Container", "RNNBase", "RNNCellBase"))
FREE_FORM = frozenset(("GRU", "LSTM", "RNN", "NLLLoss2d", "Module", "DataParallel"))
LAYERS = sorted(
    name
    for name, value in vars(nn).items()
    if inspect.isclass(value) and issubclass(value, nn.Module) and name not in NO_LAYERS
)
# Questions about types and hardware, and GEMMs on packed scales.
NO_OPERATORS = frozenset(
    """
    assert_int_or_pair boolean_dispatch grouped_mm has_torch_function has_torch_function_unary
    has_torch_function_variadic handle_torch_function scaled_grouped_mm scaled_mm
    """.split()
)
FUNCTIONS = sorted(
    name
    for name, value in vars(functional).items()
    if inspect.isfunction(value) and not name.startswith("_") and name not in NO_OPERATORS
    if value.__module__ == functional.__name__
)
VARIANTS = sorted(
    name
    for name in vars(torch)
    if (name.endswith("_copy") or name.startswith("unsafe_")) and find(f"torch.{name}") is not None
)


def named(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters
    return {name: one for name, one in parameters.items() if one.kind not in kinds}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_built_as_torch_builds_it(name: str) -> None:
    entry = find(f"torch.nn.{name}")
    assert entry is not None
    theirs, ours = named(getattr(nn, name)), named(entry.function)
    if name in FREE_FORM or not theirs:
        return
    assert list(ours) == list(theirs)
    plain = (bool, int, float, str, type(None), tuple)
    defaults = {key: one.default for key, one in theirs.items() if isinstance(one.default, plain)}
    assert {key: ours[key].default for key in defaults} == defaults


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_takes_torchs_arguments(name: str) -> None:
    entry = find(f"torch.nn.functional.{name}")
    assert entry is not None
    free = any(one.kind is Parameter.VAR_KEYWORD for one in entry.signature.parameters.values())
    assert free or set(named(getattr(functional, name))) <= set(entry.signature.parameters)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_native_variant_takes_the_arguments_of_its_schema(name: str) -> None:
    entry = find(f"torch.{name}")
    assert entry is not None
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        theirs = ["input" if one.name == "self" else one.name for one in schema.arguments if not one.is_out]
        ours = in_own_words(entry, dict.fromkeys(theirs))
        assert set(ours) <= set(entry.signature.parameters), schema
