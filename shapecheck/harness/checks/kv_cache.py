"""Computing the last positions from a cache of keys and values gives the same results as computing all of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.awakened import awake
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.faults import rejects_sizes
from shapecheck.harness.formatting import with_type_name
from shapecheck.harness.subject import drained
from shapecheck.harness.tensors import flat
from shapecheck.runtime.describe import plural
from shapecheck.runtime.guards.places import place_of_error

_CACHES = ("past_key_values", "cache")
"""The names of the parameter and of the result: that of transformers before version 5.24, and that since."""
_USE = "use_cache"
_MASK = "attention_mask"
_TOKENS = ("decoder_input_ids", "input_ids")
"""What is cut into parts: the decoder's tokens, and those of a model without an encoder."""
_STATEFUL = "_is_stateful"
"""transformers sets it in models that keep a state, such as Mamba: they continue by one position, without a mask."""


class _Decoding(NamedTuple):
    """named: the arguments of all positions. cache, tokens: the names of the cache and of what is cut into parts."""

    named: dict[str, Any]
    cache: str
    tokens: str
    is_stateful: bool

    def cut(self, first: int, end: int) -> dict[str, Any]:
        """The tokens from one position to another with the mask of all positions up to there, or an encoder's input."""
        part = {**self.named, self.tokens: self.named[self.tokens][:, first:end], _USE: True}
        return {**part, _MASK: part[_MASK][:, :end]} if self.tokens == _TOKENS[-1] and _MASK in part else part

    def past(self, result: Any) -> Any:
        """The cache in a result."""
        return result.get(self.cache) if isinstance(result, dict) else getattr(result, self.cache, None)


class _OneByOne(Exception):
    """The model refuses several positions at once."""


@check(66, needs_data=True)
@awake
def kv_cache(context: CheckContext) -> Iterator[Diagnostic]:
    """The first positions with `use_cache`, then two and one more, for a state one and one, with its cache."""
    decoding = _decoding(context)
    last = decoding.named[decoding.tokens].shape[1]
    before = max(last - 3, 1)
    whole = _main(_call(context, {**decoding.named, _USE: False}))
    one_by_one = (before, before + 1, before + 2)
    try:
        yield from _continued(
            context, decoding, whole, one_by_one if decoding.is_stateful else (before, last - 1, last)
        )
    except _OneByOne:
        yield from _continued(context, decoding, whole, one_by_one)


def _continued(
    context: CheckContext, decoding: _Decoding, whole: Tensor | None, ends: Sequence[int]
) -> Iterator[Diagnostic]:
    """Compares the positions from one end to the next with those of a call without a cache."""
    result = _call(context, decoding.cut(0, ends[0]))
    for before, end in pairwise(ends):
        past = decoding.past(result)
        if past is None and before == ends[0]:
            raise Skip(f"the result has no {decoding.cache}")
        if past is None:
            return
        try:
            result = _call(context, {**decoding.cut(before, end), decoding.cache: past})
        except Exception as error:
            if end > before + 1 and rejects_sizes(error):
                raise _OneByOne from None
            message = f"forward raises with {decoding.cache} of {plural(before, 'position')}: {with_type_name(error)}"
            yield context.finding("cache-mismatch", message, place_of_error(error))
            return
        found = _main(result)
        if whole is None or found is None or whole.dim() < 2:
            raise Skip("the first result has no positions")
        words = context.differ([whole[:, before:end]], [found])
        if words:
            after, new = f"with {decoding.cache} of {before}", plural(end - before, "position")
            message = f"{after}, results at the next {new} differ from a call without: {words}"
            yield context.finding("cache-mismatch", message)
            return


def _decoding(context: CheckContext) -> _Decoding:
    """Raises Skip if the model has no cache, or other inputs than tokens and their mask."""
    parameters = inspect.signature(context.model.forward).parameters
    named = context.subject.arguments(context.plan).named
    cache = next((name for name in _CACHES if name in parameters), "")
    name = next((name for name in _TOKENS if name in named), "")
    if not cache or not name or _USE not in parameters or not set(named) <= {*_TOKENS, _MASK}:
        raise Skip(f"forward has no parameters {_TOKENS[-1]}, {_CACHES[0]} and {_USE} alone")
    tokens = named[name]
    if context.is_random or tokens.dim() != 2 or tokens.shape[1] < 3:
        raise Skip("results are random in eval mode, or too short")
    is_stateful = getattr(context.model, _STATEFUL, False)
    if name == _TOKENS[-1]:
        named = {name: tokens}
        if _MASK in parameters and not is_stateful:
            named[_MASK] = torch.ones_like(tokens)
    return _Decoding(named, cache, name, is_stateful)


def _call(context: CheckContext, named: dict[str, Any]) -> Any:
    context.subject.restore_buffers()
    torch.manual_seed(context.subject.seed)
    return drained(context.model(**named))


def _main(result: Any) -> Tensor | None:
    """The first tensor: the logits or hidden states of each position."""
    found = flat(result)
    return found[0] if found else None
