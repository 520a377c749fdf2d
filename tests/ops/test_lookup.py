"""The names of the operators and layers that have a trait."""

from __future__ import annotations

import pytest

from shapecheck.ops import Trait, find, layers_with, names_with
from shapecheck.ops.traits import NO_TRAITS


@pytest.mark.parametrize("trait", list(Trait))
def test_every_trait_is_declared_somewhere(trait: Trait) -> None:
    assert names_with(trait)


@pytest.mark.parametrize(
    ("trait", "has", "lacks"),
    [
        (Trait.PROMOTES_DTYPES, {"add", "+", "subtract", "where"}, {"+=", "eq", "matmul"}),
        (Trait.AUTOCAST, {"@", "__matmul__", "Linear()", "conv2d", "multi_dot"}, {"Linear", "layer_norm", "add"}),
        (Trait.KEEPS_AXES, {"sigmoid", "abs", "absolute", "half"}, {"mean", "squeeze"}),
        (Trait.RESHAPES_IN_PLACE, {"squeeze_", "t_", "set_"}, {"relu_", "add_"}),
        (Trait.BROADCASTING_LOSS, {"mse_loss", "MSELoss()"}, {"cross_entropy", "CrossEntropyLoss()"}),
        (Trait.RESHAPES, {"view", "rearrange"}, {"squeeze"}),
    ],
)
def test_a_trait_has_the_names_of_its_operators(trait: Trait, has: set[str], lacks: set[str]) -> None:
    assert names_with(trait) >= has
    assert not names_with(trait) & lacks


def test_several_traits_select_what_has_all_of_them() -> None:
    both = Trait.HAS_WEIGHTS | Trait.AUTOCAST
    assert names_with(both) == names_with(Trait.HAS_WEIGHTS) & names_with(Trait.AUTOCAST)


def test_layers_are_named_as_classes() -> None:
    assert layers_with(Trait.BROADCASTING_LOSS) >= {"MSELoss", "L1Loss"}
    assert all(find(f"nn.{name}") for name in layers_with(Trait.HAS_WEIGHTS))


def test_no_trait_selects_all_operators_and_layers() -> None:
    assert names_with(NO_TRAITS) >= names_with(Trait.AUTOCAST) | {"ReLU()", "stft", "+"}
