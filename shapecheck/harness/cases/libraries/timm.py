"""`timm:resnet18`: models of timm with random weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.libraries.table import Library, Recipe, register, unknown_name
from shapecheck.harness.cases.model import KnownInputs


def _names() -> Sequence[str]:
    import timm  # noqa: PLC0415

    return list(timm.list_models())


def _recipe(name: str, arguments: Mapping[str, Any]) -> Recipe:
    import timm  # noqa: PLC0415

    if not timm.is_model(name):
        raise unknown_name(name, _names())
    code = timm.model_entrypoint(name).__code__
    given = "".join(f", {one}={value!r}" for one, value in arguments.items())
    build = partial(timm.create_model, name, **{**arguments, "pretrained": False})
    return Recipe(build, (Path(code.co_filename), code.co_firstlineno), f"timm: create_model({name!r}{given})", _inputs)


def _inputs(model: Any) -> Iterator[KnownInputs]:
    """An image of the size that timm states, otherwise of the least one."""
    stated = getattr(model, "default_cfg", None) or {}
    for key in ("input_size", "test_input_size", "min_input_size"):
        size = stated.get(key)
        if size:
            image = {"height": size[1], "width": size[2]}
            yield KnownInputs(
                {_first(model): f'Float[Tensor, "batch {size[0]} height width"]'}, f"timm: default_cfg[{key!r}]", image
            )


def _first(model: Any) -> str:
    import inspect  # noqa: PLC0415

    return next(iter(inspect.signature(model.forward).parameters))


register(Library("timm", "timm", "pip install timm", _names, _recipe))
