"""Inputs of models without annotations, from parameter names and from the first layer."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from shapecheck.harness.cases.model import NO_SHAPES, Case, CaseError
from shapecheck.harness.search.known import search_known
from shapecheck.harness.subject import Subject, build_subject


class Images(nn.Module):
    def __init__(self, **config: Any) -> None:
        super().__init__()
        self.config = SimpleNamespace(**config)
        self.stem = nn.Conv2d(config.get("num_channels", 3), 2, 3)

    def forward(self, pixel_values=None, labels=None):
        return self.stem(pixel_values)


class Text(nn.Module):
    def __init__(self, **config: Any) -> None:
        super().__init__()
        self.config = SimpleNamespace(**{"vocab_size": 11, **config})
        self.embed = nn.Embedding(11, 4)

    def forward(self, input_ids=None, attention_mask=None, labels=None):
        assert labels is None
        return self.embed(input_ids) * attention_mask[..., None]


class Translation(Text):
    main_input_name = "input_ids"

    def forward(self, input_ids=None, attention_mask=None, decoder_input_ids=None):
        return self.embed(input_ids).mean(1, keepdim=True) + self.embed(decoder_input_ids)


class Both(Text):
    def forward(self, input_ids=None, pixel_values=None):
        return self.embed(input_ids).mean() + pixel_values


class Wave(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv1d(1, 4, 10, 5)

    def forward(self, input_values):
        return self.stem(input_values[:, None])


class Padded(nn.Module):
    """Accepts only images of 128 and more."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 2, 100)

    def forward(self, x):
        return self.stem(x)


class Unknown(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, left, right):
        return self.layer(left) + right


class Nothing(nn.Module):
    def forward(self, x):
        return x


class Refusing(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        raise ValueError("not today")


KNOWN = {
    "an image": (Images(), {"pixel_values": (2, 3, 64, 64)}, "parameter names"),
    "an image of the configuration": (
        Images(image_size=(20, 20), num_channels=1), {"pixel_values": (2, 1, 20, 20)}, "parameter names",
    ),
    "tokens and mask, no labels": (Text(), {"input_ids": (2, 7), "attention_mask": (2, 7)}, "parameter names"),
    "source and target": (
        Translation(is_encoder_decoder=True),
        {"input_ids": (2, 7), "attention_mask": (2, 7), "decoder_input_ids": (2, 5)},
        "parameter names",
    ),
    "tokens and image": (Both(), {"input_ids": (2, 7), "pixel_values": (2, 3, 64, 64)}, "parameter names"),
    "samples": (Wave(), {"input_values": (2, 4000)}, "parameter names"),
    "a convolution": (nn.Sequential(nn.Conv2d(5, 2, 3)), {"input": (2, 5, 64, 64)}, "first layer"),
    "a convolution of large images": (Padded(), {"x": (2, 3, 128, 128)}, "first layer"),
    "a convolution over time": (nn.Sequential(nn.Conv1d(5, 2, 3)), {"input": (2, 5, 64)}, "first layer"),
    "a convolution of videos": (nn.Sequential(nn.Conv3d(5, 2, 3)), {"input": (2, 5, 16, 64, 64)}, "first layer"),
    "an embedding": (nn.Sequential(nn.Embedding(9, 2), nn.Linear(2, 3)), {"input": (2, 7)}, "first layer"),
    "features": (nn.Sequential(nn.Linear(6, 2)), {"input": (2, 6)}, "first layer"),
    "features of a sequence": (
        nn.Sequential(nn.Linear(6, 2), nn.Conv1d(7, 1, 1)), {"input": (2, 7, 6)}, "first layer",
    ),
}  # fmt: skip


def _subject(model: nn.Module) -> Subject:
    return Subject(Case("net:Net", type(model), Path(__file__), 1), model.eval(), torch.device("cpu"))


@pytest.mark.parametrize("what", KNOWN)
def test_model_without_annotations_accepts_known_inputs(what: str) -> None:
    model, shapes, origin = KNOWN[what]
    subject = _subject(model)
    found = search_known(subject)
    assert found.fits
    given: dict[str, Tensor] = found.last.given.named
    assert {name: tuple(tensor.shape) for name, tensor in given.items()} == shapes
    assert subject.known is not None
    assert subject.known.origin.startswith(f"{origin}: ")


class Scheduled(nn.Module):
    """Its constructor reads the values of a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.rates = torch.linspace(0, 1, 3).tolist()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def test_constructor_that_reads_values_is_built_for_device_fake() -> None:
    subject = build_subject(Case("net:Net", Scheduled, Path(__file__), 1), torch.device("cpu"), 0, fake=True)
    assert search_known(subject).fits


def test_masks_have_no_padding_and_tokens_are_in_the_vocabulary() -> None:
    given = search_known(_subject(Text())).last.given.named
    assert bool((given["attention_mask"] == 1).all())
    assert int(given["input_ids"].max()) < 11


@pytest.mark.parametrize("model", [Unknown(), Nothing()])
def test_nothing_is_assumed_where_nothing_is_known(model: nn.Module) -> None:
    with pytest.raises(CaseError) as why:
        search_known(_subject(model))
    assert str(why.value) == NO_SHAPES


def test_refused_inputs_are_one_line_with_the_error() -> None:
    with pytest.raises(CaseError) as why:
        search_known(_subject(Refusing()))
    assert str(why.value) == (
        "accepts no well-known inputs; from first layer, with batch=2: ValueError: not today; "
        "annotate forward, or pass @shapecheck.case(inputs=...)"
    )
