"""static.domain.linearization: the method resolution order is Python's."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from shapecheck.static.domain.external_bases import OF_LAYERS, OF_MODULES, ExternalBase, external_base, is_layer
from shapecheck.static.domain.linearization import linearize, order_of_bases

_MOST = 7


@st.composite
def _hierarchies(draw: st.DrawFn) -> list[list[int]]:
    """The bases of each class, by number; a class has only bases before it."""
    return [
        draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)) if number else []
        for number in range(draw(st.integers(1, _MOST)))
    ]


@settings(max_examples=500, deadline=None)
@given(_hierarchies())
def test_classes_are_in_the_order_of_python(hierarchy: list[list[int]]) -> None:
    made: list[type] = []
    orders: list[list[int]] = []
    for number, bases in enumerate(hierarchy):
        order = linearize([orders[one] for one in bases], bases)
        try:
            made.append(type(f"C{number}", tuple(made[one] for one in bases), {}))
        except TypeError:
            assert order is None
            return
        assert order is not None
        orders.append([number, *order])
        assert [made[one] for one in orders[-1]] == list(made[-1].__mro__[:-1])


def _names(order: list[str | ExternalBase]) -> str:
    return " ".join(one.name if isinstance(one, ExternalBase) else one for one in order)


@pytest.mark.parametrize(
    ("bases", "expected"),
    [
        (("torch.nn.Module",), "torch.nn.Module builtins.object"),
        (("torch.nn.modules.module.Module", "abc.ABC"), "torch.nn.Module abc.ABC builtins.object"),
        (("torch.nn.ReLU6",), "torch.nn.ReLU6 torch.nn.Hardtanh torch.nn.Module builtins.object"),
        (("builtins.KeyError",), "builtins.KeyError builtins.LookupError builtins.Exception builtins.BaseException"),
    ],
)
def test_classes_from_outside_have_their_own_bases(bases: tuple[str, ...], expected: str) -> None:
    outside = [external_base(one) for one in bases]
    assert _names(order_of_bases([one.with_bases() for one in outside], outside)).startswith(expected)


def test_after_an_unknown_class_no_class_from_outside_is_certain() -> None:
    module, unknown = external_base("torch.nn.Module"), external_base("library.Base")
    order = order_of_bases([module.with_bases(), unknown.with_bases()], [module, unknown])
    assert [one.may_define("helper") for one in order] == [True, True, False]
    assert not module.may_define("helper")


def test_two_unknown_classes_are_different() -> None:
    assert external_base("?") != external_base("?")
    assert external_base("library.Base") == external_base("library.Base")


def test_bases_that_contradict_each_other_follow_an_unknown_class() -> None:
    order = order_of_bases([["a", "b"], ["b", "a"]], ["a", "b"])
    assert _names(order) == "? a b"


def test_the_attributes_of_modules_are_those_of_torch() -> None:
    plain = set(vars(object)) - {"__init__", "__repr__", "__dir__", "__setattr__", "__delattr__"}
    names = set(vars(nn.Module)) - plain - {"__annotations__", "__dict__", "__module__", "__weakref__", "__doc__"}
    names = {name for name in names if not name.startswith("___")}  # those that torch.compile leaves behind
    assert names - {"__getstate__", "__annotate_func__", "__firstlineno__", "__static_attributes__"} <= OF_MODULES


def test_the_attributes_of_layers_include_those_of_torch() -> None:
    classes = [cls for cls in vars(nn).values() if inspect.isclass(cls) and issubclass(cls, nn.Module)]
    layers = [cls for cls in classes if is_layer(f"torch.nn.{cls.__name__}")]
    methods = {name for cls in layers for one in cls.__mro__ for name, held in vars(one).items() if callable(held)}
    special = {name for name in methods if name.startswith("__")} - set(OF_LAYERS)
    assert methods - special <= OF_LAYERS
