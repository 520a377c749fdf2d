"""`torchvision:vit_b_16`: models of torchvision with random weights."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.libraries.table import Library, Recipe, register, unknown_name
from shapecheck.harness.cases.model import KnownInputs

_IMAGE = 'Float[Tensor, "batch 3 height width"]'
_SIDES = {"detection": 64, "optical_flow": 128}
_VIDEO = ((16, 224), (16, 112))
_USUAL = 224


def _names() -> Sequence[str]:
    from torchvision import models  # noqa: PLC0415

    return list(models.list_models())


def _recipe(name: str, arguments: Mapping[str, Any]) -> Recipe:
    from torchvision import models  # noqa: PLC0415

    if name not in _names():
        raise unknown_name(name, _names())
    builder = models.get_model_builder(name)
    code = inspect.unwrap(builder).__code__
    given = "".join(f", {one}={value!r}" for one, value in arguments.items())
    without_weights = {one: None for one in inspect.signature(builder).parameters if one.startswith("weights")}
    build = partial(builder, **{**arguments, **without_weights})
    family = builder.__module__.rpartition("models.")[2].partition(".")[0]
    return Recipe(
        build,
        (Path(code.co_filename), code.co_firstlineno),
        f"torchvision: get_model({name!r}{given})",
        partial(_inputs, family, _side(builder)),
    )


def _side(builder: Any) -> int:
    """The size of the images for which its weights were trained."""
    from torchvision import models  # noqa: PLC0415

    try:
        weights = models.get_model_weights(builder)
        crop = next(iter(weights)).transforms().crop_size
        return int(crop[0] if isinstance(crop, (list, tuple)) else crop)
    except Exception:  # some models have no weights, and some transforms no crop
        return _USUAL


def _inputs(family: str, side: int, model: Any) -> Iterator[KnownInputs]:
    origin = f"torchvision: models.{family}"
    if family == "detection":
        yield KnownInputs({"images": 'list[Float[Tensor, "3 height width"]]'}, origin, _image(_SIDES[family]))
    elif family == "optical_flow":
        yield KnownInputs({"image1": _IMAGE, "image2": _IMAGE}, origin, _image(_SIDES[family]))
    elif family == "video":
        for frames, size in ((16, side), *_VIDEO):
            sizes = {"frames": frames, **_image(size)}
            yield KnownInputs({_first(model): 'Float[Tensor, "batch 3 frames height width"]'}, origin, sizes)
    else:
        yield KnownInputs({_first(model): _IMAGE}, origin, _image(side))


def _image(side: int) -> dict[str, int]:
    return {"height": side, "width": side}


def _first(model: Any) -> str:
    return next(iter(inspect.signature(model.forward).parameters))


register(Library("torchvision", "torchvision", "pip install torchvision", _names, _recipe))
