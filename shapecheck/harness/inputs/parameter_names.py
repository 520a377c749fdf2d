"""Inputs of a forward whose parameters have well-known names: `pixel_values`, `input_ids`, `attention_mask`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from torch import nn

from shapecheck.harness.cases.model import KnownInputs

_LENGTHS = (7, 64)
_TARGET = 5
_SIDES = (64, 224)
_SAMPLES = (4000, 16000)
_LOWEST, _HIGHEST = 5, 99
"""Tokens that no tokenizer and no reduced configuration uses for a purpose of its own."""
_PARTS = ("vision_config", "audio_config", "text_config", "encoder", "decoder", "backbone_config")


@dataclass(frozen=True)
class _Input:
    """One parameter. sizes: of the axis names; range: of integers, None for those that the model accepts."""

    annotation: str
    sizes: dict[str, int]
    range: tuple[int, int] | None = None


_Maker = Callable[[Any], Iterator[_Input]]


def inputs_of_parameter_names(model: nn.Module) -> Iterator[KnownInputs]:
    """The main input, with what belongs to it; all of them; each alone."""
    names = inspect.signature(model.forward).parameters
    main = [name for name in _MAIN if name in names]
    also = [name for name in _ALSO if name in names]
    if "decoder_input_ids" in also and not _is_encoder_decoder(model):
        also.remove("decoder_input_ids")
    first = str(getattr(model, "main_input_name", main[0] if main else ""))
    groups = [[first] if first in main else [], main, *([name] for name in main)]
    seen: set[tuple[str, ...]] = set()
    for group in groups:
        chosen = tuple(dict.fromkeys(group))
        if chosen and chosen not in seen:
            seen.add(chosen)
            yield from _combined(model, [*chosen, *(name for name in also if _belongs(name, chosen))])


def _combined(model: nn.Module, names: list[str]) -> Iterator[KnownInputs]:
    """The first choice for each parameter, then the second."""
    config = getattr(model, "config", None)
    choices = [list({**_MAIN, **_ALSO}[name](config)) for name in names]
    if not all(choices):
        return
    for row in zip_longest(*choices):
        made = [one or choices[index][-1] for index, one in enumerate(row)]
        yield KnownInputs(
            {name: one.annotation for name, one in zip(names, made, strict=True)},
            f"parameter names: {', '.join(names)}",
            {axis: size for one in made for axis, size in one.sizes.items()},
            {name: one.range for name, one in zip(names, made, strict=True) if one.range is not None},
        )


def _belongs(name: str, group: tuple[str, ...]) -> bool:
    return name == "decoder_input_ids" or "input_ids" in group


def _is_encoder_decoder(model: nn.Module) -> bool:
    return bool(getattr(getattr(model, "config", None), "is_encoder_decoder", True))


def _number(config: Any, *names: str) -> int | None:
    """The first attribute of a configuration or of its parts that is a size; of two sizes, the first."""
    for part in (config, *(getattr(config, name, None) for name in _PARTS)):
        for name in names:
            value = getattr(part, name, None)
            value = value[0] if isinstance(value, (list, tuple)) and value else value
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return None


def _tokens(config: Any) -> Iterator[_Input]:
    most = min(_HIGHEST, (_number(config, "vocab_size") or _HIGHEST + 1) - 1)
    for length in _LENGTHS:
        yield _Input('Int[Tensor, "batch sequence"]', {"sequence": length}, (min(_LOWEST, most), most))


def _target(config: Any) -> Iterator[_Input]:
    first = next(_tokens(config))
    yield _Input('Int[Tensor, "batch target"]', {"target": _TARGET}, first.range)


def _mask(config: Any) -> Iterator[_Input]:
    yield _Input('Int[Tensor, "batch sequence"]', {}, (1, 1))


def _boxes(config: Any) -> Iterator[_Input]:
    yield _Input('Int[Tensor, "batch sequence 4"]', {}, (1, 1))


def _image(config: Any) -> Iterator[_Input]:
    channels = _number(config, "num_channels", "in_channels", "in_chans") or 3
    stated = _number(config, "image_size", "input_size", "img_size", "crop_size")
    frames = _number(config, "num_frames", "frames_per_clip")
    for side in ([stated] if stated else []) + [side for side in _SIDES if side != stated]:
        sizes = {"height": side, "width": side}
        if frames:
            yield _Input(f'Float[Tensor, "batch frames {channels} height width"]', {"frames": frames, **sizes})
        yield _Input(f'Float[Tensor, "batch {channels} height width"]', sizes)


def _wave(config: Any) -> Iterator[_Input]:
    mels, frames = _number(config, "num_mel_bins"), _number(config, "max_length")
    if mels and frames:
        yield _Input('Float[Tensor, "batch frames mels"]', {"frames": frames, "mels": mels})
    for samples in _SAMPLES:
        yield _Input('Float[Tensor, "batch samples"]', {"samples": samples})
        yield _Input('Float[Tensor, "batch 1 samples"]', {"samples": samples})


def _spectrum(config: Any) -> Iterator[_Input]:
    features = _number(config, "num_mel_bins", "feature_size", "feature_projection_input_dim", "input_feat_per_channel")
    most = _number(config, "max_source_positions")
    for frames in ([2 * most] if most else []) + [40, 400]:
        sizes = {"features": features or 80, "frames": frames}
        yield _Input('Float[Tensor, "batch features frames"]', sizes)
        yield _Input('Float[Tensor, "batch frames features"]', sizes)


_MAIN: dict[str, _Maker] = {
    "input_ids": _tokens,
    "pixel_values": _image,
    "pixel_values_videos": _image,
    "input_values": _wave,
    "input_features": _spectrum,
}
"""Parameters of which a model needs at least one."""
_ALSO: dict[str, _Maker] = {"bbox": _boxes, "attention_mask": _mask, "decoder_input_ids": _target}
"""Parameters that are passed with those: a mask without padding, and the target of a decoder."""
