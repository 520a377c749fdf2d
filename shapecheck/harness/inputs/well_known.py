"""Inputs for a model without annotations: stated by its library, or known from parameter names or its first layer."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from inspect import Parameter
from typing import Any

import jaxtyping
from torch import Tensor, nn

from shapecheck.harness.cases.model import KnownInputs
from shapecheck.harness.contract import contract_of
from shapecheck.harness.inputs.leading_layer import inputs_of_leading_layer
from shapecheck.harness.inputs.parameter_names import inputs_of_parameter_names
from shapecheck.harness.inputs.specification import InputSpecification
from shapecheck.runtime.hints import AnythingHint, Hint
from shapecheck.runtime.reading import read
from shapecheck.runtime.resolving import Resolver

_RESOLVER = Resolver({"Float": jaxtyping.Float, "Int": jaxtyping.Int, "Tensor": Tensor}, {})
"""The names that annotations of KnownInputs may use."""


def known_inputs(model: nn.Module, stated: Any) -> Iterator[KnownInputs]:
    """Candidates, the most likely first. stated: the function of the model's library that yields its own, or None."""
    if stated is not None:
        yield from stated(model)
    required = required_parameters(model)
    for known in (*inputs_of_parameter_names(model), *inputs_of_leading_layer(model, required)):
        if required <= known.annotations.keys():
            yield known


def required_parameters(model: nn.Module) -> frozenset[str]:
    """The parameters of forward without a default."""
    found = inspect.signature(model.forward).parameters.values()
    rest = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return frozenset(one.name for one in found if one.default is one.empty and one.kind not in rest)


def known_specification(model: nn.Module, known: KnownInputs) -> InputSpecification | None:
    """The specification with these inputs in place of annotations; None if the signature of forward is not readable."""
    contract = contract_of(type(model), plain=True)
    if contract is None:
        return None
    hints: Mapping[str, Hint] = {name: read(text, _RESOLVER) for name, text in known.annotations.items()}
    arguments = {one.name: hints.get(one.name, AnythingHint()) for one in contract.parameters}
    return InputSpecification(replace(contract, arguments=arguments, result=AnythingHint()), model)
