"""Arguments that are assumed for the constructors of models without a declared case."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from jaxtyping import Float
from torch import Tensor, nn

from shapecheck.harness.cases.assumed.argument import assumed_argument
from shapecheck.harness.cases.assumed.hints import NoValueError
from shapecheck.harness.cases.assumed.usage import usage_of
from shapecheck.harness.cases.assumed.widths import WIDTHS
from shapecheck.harness.cases.build import build, with_widths
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case, CaseError
from shapecheck.harness.examine import examined
from shapecheck.harness.results import Status
from shapecheck.harness.run_options import RunOptions

_WIDTH = 8


class Activation(enum.Enum):
    relu = 1
    gelu = 2


@dataclass
class Dims:
    n_heads: int
    width: int
    dropout: float


class EncoderLayer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc = nn.Linear(width, width)


class Plain(nn.Module):
    pass


class NumHeads(nn.Module):
    pass


@pytest.mark.parametrize(
    ("name", "hint", "value"),
    [
        ("width", int, 8),
        ("num_heads", int, 2),
        ("num_heads", None, 2),
        ("n_layer", int, 2),
        ("vocab_size", int, 64),
        ("downsample_rate", int, 2),
        ("kernel_size", int, 3),
        ("dropout", float, 0.1),
        ("dropout", None, 0.1),
        ("use_bias", None, True),
        ("image_size", tuple[int, int], (8, 8)),
        ("sizes", tuple[int, ...], (8, 8)),
        ("sizes", list[int], [8, 8]),
        ("sizes", Sequence[int], [8, 8]),
        ("sizes", tuple, (8, 8)),
        ("layers", tuple[int, int, int, int] | int, 2),
        ("name", str | None, None),
        ("width", int | None, 8),
        ("kind", Literal["a", "b"], "a"),
        ("kind", Activation, Activation.relu),
        ("block", type[nn.Module], nn.Identity),
        ("norm", Callable[..., nn.Module], nn.Identity),
        ("dims", Dims, Dims(2, 8, 0.1)),
    ],
)
def test_a_value(name: str, hint: Any, value: Any) -> None:
    assert assumed_argument(Plain, name, hint, _WIDTH) == value


@pytest.mark.parametrize("hint", [str, dict[str, int], bytes, Path, Tensor, Float[Tensor, "n"], torch.dtype])
def test_nothing_is_assumed_for_other_types(hint: Any) -> None:
    with pytest.raises(NoValueError):
        assumed_argument(Plain, "it", hint, _WIDTH)


@pytest.mark.parametrize(("name", "hint"), [("encoder_layer", None), ("encoder_layer", nn.Module), ("x", EncoderLayer)])
def test_a_module_is_built_from_the_class_with_its_name_or_its_annotation(name: str, hint: Any) -> None:
    made = assumed_argument(Plain, name, hint, _WIDTH)
    assert type(made) is EncoderLayer
    assert made.fc.in_features == 8


def test_a_module_of_another_name_is_the_identity() -> None:
    assert type(assumed_argument(Plain, "backbone", nn.Module, _WIDTH)) is nn.Identity


class Pooled(nn.Module):
    def __init__(self, features: nn.Module) -> None:
        super().__init__()
        self.features = features


def test_a_module_is_no_configuration_that_needs_no_arguments() -> None:
    case = Case("net:Pooled", Pooled, Path("net.py"), 1)
    assert type(build(replace(case, infers=True)).features) is nn.Identity
    with pytest.raises(CaseError, match="requires features"):
        build(case)


class Used(nn.Module):
    def __init__(self, depths, size, dims, block, options, width):  # type: ignore[no-untyped-def]
        super().__init__()
        self.first, self.last = depths[0], depths[3]
        height, length = size
        self.layers = nn.ModuleList([block(dim) for dim in dims])
        self.out = nn.Linear(width * options.scale, height + length)


@pytest.mark.parametrize(
    ("name", "value"),
    [("depths", (2, 2, 2, 2)), ("size", (8, 8)), ("dims", (8, 8)), ("block", nn.Identity), ("width", 8)],
)
def test_what_the_constructor_does_with_a_parameter(name: str, value: Any) -> None:
    assert assumed_argument(Used, name, None, _WIDTH) == value


def test_attributes_that_are_read() -> None:
    assert usage_of(Used, "options").attributes == {"scale"}
    assert build(_case(Used)).out.in_features == 8 * 8  # type: ignore[union-attr]


class Pretrained(nn.Module):
    def __init__(self, config):  # type: ignore[no-untyped-def]
        super().__init__()
        assert (config.model_type is not None) != (config.n_embd is not None)
        if config.model_type is not None:
            config.n_embd = {"small": 4}[config.model_type]
        self.fc = nn.Linear(config.n_embd, config.n_embd)


def test_an_attribute_that_is_only_compared_with_none_is_none() -> None:
    assert build(_case(Pretrained)).fc.in_features == 8  # type: ignore[union-attr]


class Norm(nn.LayerNorm):
    pass


def test_an_inherited_constructor() -> None:
    assert build(_case(Norm)).normalized_shape == (8,)  # type: ignore[union-attr]


class Grouped(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(8, dim // 2)


def test_wider_sizes_are_tried_where_small_ones_exclude_each_other() -> None:
    case = with_widths(_case(Grouped))
    assert [one.width for one in (*case.alternatives, case)] == list(WIDTHS)
    with pytest.raises(ValueError, match="num_channels"):
        build(case.alternatives[0])
    assert build(case.alternatives[1]).norm.num_channels == 32  # type: ignore[union-attr]


class Strict(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        raise ValueError("only 7")


def test_a_constructor_that_refuses_assumed_arguments_is_no_finding() -> None:
    result = examined(with_widths(_case(Strict)), RunOptions())
    assert (result.outcome, result.diagnostics) == (Status.UNBUILT, ())
    assert "only 7" in result.detail


class Named(nn.Module):
    def __init__(self, path: str, dim: int) -> None:
        super().__init__()


def test_only_what_has_no_value_is_asked_for() -> None:
    with pytest.raises(CaseError, match=r"constructor requires path; .*--arg path=\.\.\."):
        build(_case(Named))


def _case(target: type[nn.Module]) -> Case:
    return Case("it", target, Path(__file__), 1, Declared(), infers=True)
