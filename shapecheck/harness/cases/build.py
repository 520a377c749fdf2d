"""Builds the model of a case."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from torch import nn

from shapecheck.harness.cases.assumed import SMALL, assumed_configuration
from shapecheck.harness.cases.model import NO_SHAPES, Case, CaseError, Target
from shapecheck.harness.formatting import listed, with_type_name
from shapecheck.runtime.describe import described
from shapecheck.spec.presentation import value_text

_CONFIGURATIONS = ("config", "cfg", "conf", "args", "hparams")
"""The names of parameters that get the configuration of their module, if they have no annotation."""
_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def build(case: Case) -> nn.Module:
    """An instance of the case's class, or the result of its factory. Raises CaseError if it cannot be built.

    A missing file or server is not an error of the program if the model is built with defaults alone.
    """
    if case.reason:
        raise CaseError(case.reason)
    arguments = {**_made_up(case), **_configured(case.target, case.declared.kwargs)}
    try:
        made = case.target(**arguments)
    except TypeError as wrong:
        if wrong.__traceback__ is not None and wrong.__traceback__.tb_next is None:
            given = f"with {listed(list(arguments))}" if arguments else "without arguments"
            raise CaseError(f"cannot call it {given}: {wrong}") from None
        raise
    except OSError as missing:
        if case.declared.kwargs:
            raise
        raise CaseError(
            f"default arguments raise {with_type_name(missing)}; set others with @shapecheck.case(kwargs={{...}})"
        ) from None
    if not isinstance(made, nn.Module):
        raise CaseError(f"expected an nn.Module, got {described(made)}")
    return made


def constructor_of(case: Case) -> str:
    """How `build` builds the case, for the report."""
    if case.built:
        return case.built
    given = [f"{name}={value_text(value)}" for name, value in case.declared.kwargs.items()]
    made = [f"{name}={_short(value)} (assumed)" for name, value in _made_up(case).items()]
    return f"arguments: {', '.join([*given, *made])}" if given or made else "default arguments"


def _short(value: Any) -> str:
    return value_text(value) if isinstance(value, int) else f"{type(value).__name__}()"


def with_arguments(case: Case, target: Target) -> Case:
    """The case with the arguments of the command line; if it was not named itself, with those that it accepts."""
    given = dict(target.arguments)
    if not target.only:
        known = inspect.signature(case.target).parameters
        given = {name: value for name, value in given.items() if name in known}
    if not given:
        return case
    reason = "" if case.reason == NO_SHAPES else case.reason
    return replace(case, declared=replace(case.declared, kwargs={**case.declared.kwargs, **given}), reason=reason)


def needs_arguments(target: Any) -> bool:
    """Whether a constructor or factory has parameters for which no value can be generated."""
    hints = _hints(target)
    return any(_default_of(hints.get(parameter.name)) is None for parameter in _required(target))


def _made_up(case: Case) -> dict[str, Any]:
    """Values for parameters without default that are not given: configurations whose class needs no arguments."""
    found: dict[str, Any] = {}
    missing: list[str] = []
    hints = _hints(case.target)
    for parameter in _required(case.target):
        if parameter.name in case.declared.kwargs:
            continue
        hint = hints.get(parameter.name)
        made = _configuration_of(case.target) if _is_configuration(parameter, hint) else _default_of(hint)
        if made is None and case.infers and hint in (None, int):
            made = (assumed_configuration(case.target, parameter.name) if hint is None else None) or SMALL
        if made is None:
            missing.append(parameter.name)
        else:
            found[parameter.name] = made
    if missing:
        given = ", ".join(f'"{name}": ...' for name in missing)
        what = "constructor" if isinstance(case.target, type) else "factory"
        options = " ".join(f"--arg {name}=..." for name in missing)
        advice = f"add defaults or @shapecheck.case(kwargs={{{given}}}), or pass {options}"
        raise CaseError(f"{what} requires {listed(missing)}; {advice}")
    return found


def _configured(target: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given arguments; a table of a configuration file becomes the object that the parameter expects."""
    hints = _hints(target)
    return {name: _made_of(hints.get(name), value) for name, value in given.items()}


def _made_of(hint: Any, value: Any) -> Any:
    if not isinstance(value, dict) or not isinstance(hint, type) or isinstance(hint, types.GenericAlias):
        return value
    if hint.__module__ in ("builtins", "typing") or not _takes(hint, value):
        return value
    return hint(**_configured(hint, value))


def _takes(cls: type, names: Mapping[str, Any]) -> bool:
    try:
        inspect.signature(cls).bind(**names)
    except (TypeError, ValueError):  # its parameters differ or cannot be read
        return False
    return True


def _required(target: Any) -> Iterator[inspect.Parameter]:
    for parameter in inspect.signature(target).parameters.values():
        if parameter.default is parameter.empty and parameter.kind not in _REST:
            yield parameter


def _hints(target: Any) -> dict[str, Any]:
    function: Any = vars(target).get("__init__", target) if isinstance(target, type) else target
    try:
        return typing.get_type_hints(inspect.unwrap(function))
    except Exception:  # an annotation can be any expression
        return {}


def _is_configuration(parameter: inspect.Parameter, hint: Any) -> bool:
    return hint is None and parameter.name in _CONFIGURATIONS


def _configuration_of(target: Any) -> Any:
    """An instance of the only class of the module that is a configuration by its name and needs no arguments."""
    space = vars(sys.modules.get(target.__module__, types.ModuleType("")))
    classes = [one for name, one in space.items() if isinstance(one, type) and name.endswith(("Config", "Args"))]
    found = [made for one in dict.fromkeys(classes) if (made := _default_of(one)) is not None]
    return found[0] if len(found) == 1 else None


def _default_of(hint: Any) -> Any:
    """An instance of a class of the program that needs no arguments: a configuration. None for other classes."""
    if not isinstance(hint, type) or isinstance(hint, types.GenericAlias) or hint.__module__ == "builtins":
        return None
    try:
        return None if any(_required(hint)) else hint()
    except Exception:  # a constructor can raise anything, as those of jaxtyping's annotations do
        return None
