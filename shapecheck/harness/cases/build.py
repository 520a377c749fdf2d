"""Builds the model of a case."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from torch import nn

from shapecheck.harness.cases.assumed.argument import assumed_argument, hints_of, required
from shapecheck.harness.cases.assumed.hints import NoValueError
from shapecheck.harness.cases.assumed.widths import WIDTHS
from shapecheck.harness.cases.model import NO_SHAPES, Case, CaseError, Target
from shapecheck.harness.formatting import listed, with_type_name
from shapecheck.runtime.describe import described
from shapecheck.spec.presentation import value_text

_CONFIGURATIONS = ("config", "cfg", "conf", "args", "hparams")
"""The names of parameters that get the configuration of their module, if they have no annotation."""
_PLAIN = (int, float, str, tuple, list)


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
    if isinstance(value, type):
        return value.__name__
    return value_text(value) if value is None or isinstance(value, _PLAIN) else f"{type(value).__name__}()"


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
    hints = hints_of(target)
    return any(_default_of(hints.get(parameter.name)) is None for parameter in required(target))


def with_widths(case: Case) -> Case:
    """The case with the widest size for its assumed arguments, if it has any; narrower ones are tried before."""
    if not case.infers or not _assumed_names(case):
        return case
    return replace(case, width=WIDTHS[-1], alternatives=tuple(replace(case, width=one) for one in WIDTHS[:-1]))


def has_assumed_arguments(case: Case) -> bool:
    """Whether a mistake of the constructor may be one of the arguments that are assumed."""
    return case.infers and bool(_assumed_names(case))


def _assumed_names(case: Case) -> list[str]:
    given = {*case.declared.kwargs, *_configurations(case)}
    return [one.name for one in required(case.target) if one.name not in given]


def _configurations(case: Case) -> dict[str, Any]:
    """Values for parameters without default that are not given: configurations whose class needs no arguments."""
    found: dict[str, Any] = {}
    hints = hints_of(case.target)
    for parameter in required(case.target):
        hint = hints.get(parameter.name)
        made = _configuration_of(case.target) if _is_configuration(parameter, hint) else _default_of(hint)
        if made is not None and parameter.name not in case.declared.kwargs:
            found[parameter.name] = made
    return found


def _made_up(case: Case) -> dict[str, Any]:
    """Values for parameters without default that are not given."""
    found = _configurations(case)
    missing: list[str] = []
    hints = hints_of(case.target)
    for name in _assumed_names(case):
        try:
            if not case.infers:
                raise NoValueError
            found[name] = assumed_argument(case.target, name, hints.get(name), case.width)
        except NoValueError:
            missing.append(name)
    if missing:
        given = ", ".join(f'"{name}": ...' for name in missing)
        what = "constructor" if isinstance(case.target, type) else "factory"
        options = " ".join(f"--arg {name}=..." for name in missing)
        advice = f"add defaults or @shapecheck.case(kwargs={{{given}}}), or pass {options}"
        raise CaseError(f"{what} requires {listed(missing)}; {advice}")
    return found


def _configured(target: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given arguments; a table of a configuration file becomes the object that the parameter expects."""
    hints = hints_of(target)
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
    if hint is nn.Module:  # which can be built, but not called
        return None
    try:
        return None if any(required(hint)) else hint()
    except Exception:  # a constructor can raise anything, as those of jaxtyping's annotations do
        return None
