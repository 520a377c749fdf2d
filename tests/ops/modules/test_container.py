"""Sequential runs its layers; the other containers only hold them."""

from __future__ import annotations

import pytest

from shapecheck.ops import Unknown, infer
from shapecheck.spec import CallError, ShapeError, TensorSpec

TABLE = infer("nn.Embedding", 10, 4)
INDICES = TensorSpec(("b", "t"), "int64")


def test_sequential_runs_in_order() -> None:
    layers = infer("nn.Sequential", TABLE, infer("nn.Linear", 4, 7))
    assert str(layers(INDICES)) == "torch.float32 (b, t, 7)"
    assert layers[0] is TABLE and len(layers[1:]) == 1
    assert infer("nn.Sequential")(INDICES) == INDICES


def test_a_message_names_the_layer() -> None:
    layers = infer("nn.Sequential", TABLE, infer("nn.Linear", 4, 7), infer("nn.Linear", 8, 7))
    with pytest.raises(
        ShapeError,
        match=r"^Sequential: layer 2, Linear\(8, 7.*\): .*expected the last dimension of the input to be 8, got 7",
    ):
        layers(INDICES)
    with pytest.raises(ShapeError, match=r"^Sequential: layer table, Embedding\(10, 4\): expected the input"):
        infer("nn.Sequential", {"table": TABLE})(TensorSpec((2,), "float32"))


def test_what_follows_an_unknown_layer_says_what_it_can() -> None:
    layers = infer("nn.Sequential", Unknown("another package"), infer("nn.Linear", 4, 7))
    assert str(layers(INDICES).shape) == "(..., 7)"


def test_a_layer_is_a_module() -> None:
    with pytest.raises(CallError, match="expected layer 0 to be a module, got 3"):
        infer("nn.Sequential", 3)


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("ModuleList", [TABLE]),
        ("ModuleDict", {"a": TABLE}),
        ("ParameterList", [INDICES]),
        ("ParameterDict", {"a": INDICES}),
    ],
)
def test_the_others_are_not_called(name: str, items: object) -> None:
    held = infer(f"nn.{name}", items)
    assert len(held) == 1
    with pytest.raises(CallError, match=f"{name}: has no forward; call its items"):
        held(INDICES)


def test_lists_and_dicts_give_their_items() -> None:
    layers = infer("nn.ModuleList", [TABLE]).append(TABLE)
    assert len(layers) == 2 and layers[-1] is TABLE and list(layers) == [TABLE, TABLE]
    by_name = infer("nn.ModuleDict", {"a": TABLE})
    assert "a" in by_name and by_name["a"] is TABLE and list(by_name.keys()) == ["a"]
    with pytest.raises(ShapeError, match="index 2 is out of range"):
        layers[2]
    with pytest.raises(ShapeError, match='no item "b"; available: a'):
        by_name["b"]
