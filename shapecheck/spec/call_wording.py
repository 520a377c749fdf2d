"""Why arguments do not bind to parameters, in the words of Python's own TypeError."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter, Signature

from shapecheck.spec.presentation import quoted

_TORCH_WORDS = {"axis": ("dim", "dims"), "axes": ("dim", "dims"), "keepdims": ("keepdim",), "shape": ("size",)}
"""Names from numpy, with those that torch uses."""


def too_many(least: int, most: int, given: int) -> str:
    """`takes from 1 to 2 positional arguments but 3 were given`."""
    takes = f"{most}" if least == most else f"from {least} to {most}"
    return f"takes {takes} positional argument{_s(most)} but {given} {'was' if given == 1 else 'were'} given"


def missing(names: Sequence[str], kind: str = "positional") -> str:
    """`missing 2 required positional arguments: "input" and "dim"`."""
    shown = [quoted(name) for name in names]
    listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"missing {len(names)} required {kind} argument{_s(len(names))}: {listed}"


def unexpected(name: str, known: Iterable[str] = ()) -> str:
    """`got an unexpected keyword argument "axes"; did you mean dim?`, if one of the known names is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    names = list(known)
    close = [one for one in _TORCH_WORDS.get(name, ()) if one in names] or get_close_matches(name, names, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"got an unexpected keyword argument {quoted(name)}{hint}"


def repeated(name: str) -> str:
    """`got multiple values for argument "dim"`."""
    return f"got multiple values for argument {quoted(name)}"


def refusal(signature: Signature, count: int, kwargs: Mapping[str, object]) -> str:
    """Why `count` positional arguments and these keyword arguments do not bind, in the order of Python's checks."""
    parameters = signature.parameters.values()
    positional = [one for one in parameters if one.kind in _POSITIONAL]
    by_name = [one.name for one in parameters if one.kind in _BY_NAME]
    kinds = {one.kind for one in parameters}
    strange = [name for name in kwargs if name not in by_name]
    if strange and Parameter.VAR_KEYWORD not in kinds:
        return unexpected(strange[0], by_name)
    twice = [one.name for one in positional[:count] if one.name in by_name and one.name in kwargs]
    if twice:
        return repeated(twice[0])
    if count > len(positional) and Parameter.VAR_POSITIONAL not in kinds:
        least = sum(one.default is Parameter.empty for one in positional)
        return too_many(least, len(positional), count)
    absent = [one.name for one in positional[count:] if one.default is Parameter.empty and one.name not in kwargs]
    if absent:
        return missing(absent)
    required = [one for one in parameters if one.kind is Parameter.KEYWORD_ONLY and one.default is Parameter.empty]
    return missing([one.name for one in required if one.name not in kwargs], "keyword-only")


_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def _s(count: int) -> str:
    return "" if count == 1 else "s"
