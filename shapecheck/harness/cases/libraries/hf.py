"""`hf:BertConfig`, `hf:path/to/config.json`: architectures of transformers, made small, with random weights."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.libraries.table import Library, NameProblem, Recipe, register, unknown_name
from shapecheck.harness.cases.small_config import small_configs
from shapecheck.harness.formatting import with_type_name

_FIRST = ("MODEL_MAPPING", "MODEL_FOR_CAUSAL_LM_MAPPING", "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING")
"""The tables of models to look in first: those without a head."""


def _names() -> Sequence[str]:
    from transformers.models.auto import configuration_auto  # noqa: PLC0415

    return sorted(set(configuration_auto.CONFIG_MAPPING_NAMES.values()))


def _recipe(name: str, arguments: Mapping[str, Any]) -> Recipe:
    kind, model_class, stored = _classes(name)
    try:
        configs = small_configs(kind, {**stored, **arguments}, set(arguments))
    except Exception as error:  # a configuration can raise anything
        reason = f"cannot create {kind.__name__}: {with_type_name(error)}"
        raise NameProblem(f"{reason}; pass others with --arg NAME=VALUE") from None
    model_class = model_class or _model_for(configs[0][1])
    if model_class is None:
        raise NameProblem(f"transformers has no model for {kind.__name__}")
    place = Path(inspect.getfile(model_class)), inspect.getsourcelines(model_class)[1]
    given = "".join(f", {one}={value!r}" for one, value in arguments.items())
    recipes = [
        Recipe(
            partial(model_class, config), place, f"transformers: {model_class.__name__}({size} {kind.__name__}{given})"
        )
        for size, config in configs
    ]
    return replace(recipes[-1], alternatives=tuple(recipes[:-1]))


def _classes(name: str) -> tuple[Any, Any, dict[str, Any]]:
    """The class of the configuration, that of the model if it is known, and the stored values."""
    import transformers  # noqa: PLC0415

    path = Path(name)
    if name.endswith(".json") or path.is_dir():
        stored = _stored(path)
        return type(stored), getattr(transformers, (stored.architectures or [""])[0], None), _differing(stored)
    found = getattr(transformers, _class_name(name), None)
    model_class = found if hasattr(found, "config_class") and hasattr(found, "forward") else None
    kind = found if model_class is None else model_class.config_class
    if not isinstance(kind, type) or not issubclass(kind, transformers.PreTrainedConfig):
        raise unknown_name(name, _names())
    return kind, model_class, {}


def _class_name(name: str) -> str:
    """The name of a class; `bert`, a type of models, is its configuration."""
    from transformers.models.auto import configuration_auto  # noqa: PLC0415

    return str(configuration_auto.CONFIG_MAPPING_NAMES.get(name, name))


def _stored(path: Path) -> Any:
    from transformers import AutoConfig  # noqa: PLC0415

    file = path / "config.json" if path.is_dir() else path
    if not file.is_file():
        raise NameProblem("no such file")
    try:
        return AutoConfig.from_pretrained(file, local_files_only=True)
    except Exception as error:  # whatever the file contains
        raise NameProblem(f"cannot read the configuration: {with_type_name(error)}") from None


def _differing(stored: Any) -> dict[str, Any]:
    """The values of a configuration that its class accepts."""
    known = inspect.signature(type(stored)).parameters
    return {name: value for name, value in vars(stored).items() if name in known}


def _model_for(config: Any) -> Any:
    """The class of the model for a configuration, without a head if there is one."""
    from transformers.models.auto import modeling_auto  # noqa: PLC0415

    others = sorted(name for name in vars(modeling_auto) if name.endswith("_MAPPING") and name not in _FIRST)
    for table in (*_FIRST, *others):
        mapping = getattr(modeling_auto, table, {})
        if type(config) in mapping:
            found = mapping[type(config)]
            return found[0] if isinstance(found, (list, tuple)) else found
    return None


register(
    Library(
        "hf",
        "transformers",
        "pip install transformers",
        _names,
        _recipe,
        ("transformers.models.auto.modeling_auto", "transformers.modeling_utils"),
    )
)
