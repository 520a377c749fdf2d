"""Computing the last positions from a cache of keys and values gives the same results as computing all of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.subject import drained
from shapecheck.harness.tensors import flat
from shapecheck.runtime.describe import plural
from shapecheck.runtime.guards.places import place_of_error

_CACHES = ("past_key_values", "cache")
"""The names of the parameter and of the result: that of transformers before version 5.24, and that since."""
_USE, _TOKENS, _MASK = "use_cache", "input_ids", "attention_mask"
_STATEFUL = "_is_stateful"
"""transformers sets it in models that keep a state, such as Mamba: they continue by one position, without a mask."""


@check(66, needs_data=True)
def kv_cache(context: CheckContext) -> Iterator[Diagnostic]:
    """The first positions with `use_cache`, then two and one more, for a state one and one, with its cache."""
    parameters = inspect.signature(context.model.forward).parameters
    named = context.subject.arguments(context.plan).named
    cache = next((name for name in _CACHES if name in parameters), "")
    if not cache or _USE not in parameters or set(named) - {_MASK} != {_TOKENS}:
        raise Skip(f"forward has no parameters {_TOKENS}, {_CACHES[0]} and {_USE} alone")
    tokens = named[_TOKENS]
    if context.is_random or tokens.dim() != 2 or tokens.shape[1] < 3:
        raise Skip("results are random in eval mode, or too short")
    stateful = getattr(context.model, _STATEFUL, False)
    named = {_TOKENS: tokens}
    if _MASK in parameters and not stateful:
        named[_MASK] = torch.ones_like(tokens)
    last = tokens.shape[1]
    before = max(last - 3, 1)
    whole = _main(_call(context, {**named, _USE: False}))
    result = _call(context, {**_cut(named, 0, before), _USE: True})
    if _past(result, cache) is None:
        raise Skip(f"the result has no {cache}")
    for end in (before + 1, before + 2) if stateful else (last - 1, last):
        try:
            result = _call(context, {**_cut(named, before, end), cache: _past(result, cache), _USE: True})
        except Exception as error:
            message = f"forward raises with {cache} of {plural(before, 'position')}: {with_type_name(error)}"
            yield context.finding("cache-mismatch", message, place_of_error(error))
            return
        found = _main(result)
        if whole is None or found is None or whole.dim() < 2:
            raise Skip("the first result has no positions")
        words = context.differ([whole[:, before:end]], [found])
        if words:
            new = plural(end - before, "position")
            message = f"with {cache} of {before}, results at the next {new} differ from a call without: {words}"
            yield context.finding("cache-mismatch", message)
            return
        if _past(result, cache) is None:
            return
        before = end


def _call(context: CheckContext, named: dict[str, Any]) -> Any:
    context.subject.restore_buffers()
    torch.manual_seed(context.subject.seed)
    return drained(context.model(**named))


def _cut(named: dict[str, Any], first: int, end: int | None) -> dict[str, Any]:
    """The tokens from one position to another, and the mask of all positions up to there."""
    cut = {_TOKENS: named[_TOKENS][:, first:end]}
    return {**cut, _MASK: named[_MASK][:, :end]} if _MASK in named else cut


def _past(result: Any, cache: str) -> Any:
    return result.get(cache) if isinstance(result, dict) else getattr(result, cache, None)


def _main(result: Any) -> Tensor | None:
    """The first tensor: the logits or hidden states of each position."""
    found = flat(result)
    return found[0] if found else None
