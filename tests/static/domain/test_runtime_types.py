"""static.kinds: `isinstance` of layers says what torch says."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from shapecheck.ops import ModuleSpec, find
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.external_bases import is_layer
from shapecheck.static.domain.runtime_types import is_instance
from shapecheck.static.domain.values import ExternalReference
from tests.static.rules.programs import reported

LAYERS: dict[str, type[Any]] = {
    name: cls for name, cls in vars(nn).items() if inspect.isclass(cls) and is_layer(f"torch.nn.{name}")
}


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_which_layer_is_which(name: str) -> None:
    layer = type(name, (ModuleSpec,), {"name": name})()
    for other, cls in LAYERS.items():
        verdict = is_instance(layer, ExternalReference(f"torch.nn.{other}"))
        if name.startswith("Lazy"):  # it becomes the other when it is first called
            assert verdict in (None, name == other or None)
        else:
            assert verdict is issubclass(LAYERS[name], cls), other
    assert is_instance(layer, ExternalReference("torch.nn.Module")) is True
    assert is_instance(layer, ExternalReference("torch.nn.modules.batchnorm._BatchNorm")) is None


@pytest.mark.parametrize("module", [torch, torch.nn.functional], ids=["torch", "torch.nn.functional"])
def test_what_is_certainly_no_class_is_none(module: Any) -> None:
    verdicts = {
        name: is_instance(ExternalReference(f"{module.__name__}.{name}"), ExternalReference("builtins.type"))
        for name in dir(module)
        if find(f"{module.__name__}.{name}") is not None
    }
    assert sum(one is False for one in verdicts.values()) > 50
    assert [name for name, one in verdicts.items() if one is False and inspect.isclass(getattr(module, name))] == []


@pytest.mark.parametrize(("value", "verdict"), [("torch.device", None), ("torch.nn.ReLU", True), ("torch.tanh", False)])
def test_is_a_class(value: str, verdict: bool | None) -> None:
    assert is_instance(ExternalReference(value), ExternalReference("builtins.type")) is verdict


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        *(("numbers.Integral", False), ("numbers.Real", False), ("numbers.Number", False)),
        *(("types.FunctionType", False), ("torch.Tensor", True), ("collections.abc.Iterable", None)),
    ],
)
def test_what_a_tensor_is(kind: str, verdict: bool | None) -> None:
    assert is_instance(TensorSpec(("n",)), ExternalReference(kind)) is verdict


@pytest.mark.parametrize("kind", ["tuple", "list", "dict", "float", "str"])
def test_what_an_array_is(kind: str) -> None:
    for shape in ((3,), ()):
        verdict = is_instance(ArraySpec.of(shape, None), ExternalReference(f"builtins.{kind}"))
        assert verdict is (False if kind in ("tuple", "list", "dict") else None)


@pytest.mark.parametrize("kind", ["torch.Tensor", "builtins.int", "builtins.slice"])
def test_what_a_slice_is(kind: str) -> None:
    assert is_instance(slice(3, None), ExternalReference(kind)) is (kind == "builtins.slice")


@pytest.mark.parametrize("kind", ["dtype", "device", "layout", "memory_format", "Generator"])
@pytest.mark.parametrize("value", ["None", "1", "'float32'", "(1, 2)", "torch.float32", "torch.long", "torch.nn.ReLU"])
def test_what_is_a_setting_of_torch(value: str, kind: str) -> None:
    known = eval(value)
    given = ExternalReference(value) if value.startswith("torch.") else known
    assert is_instance(given, ExternalReference(f"torch.{kind}")) is isinstance(known, getattr(torch, kind))


BASES = {"object": True, "nn.Module": True, "torch.utils.data.Dataset": True, "dict": False, "Other": False}


@pytest.mark.parametrize(("base", "is_known"), BASES.items())
def test_no_object_of_a_project_class_is_of_a_builtin_type(base: str, is_known: bool, tmp_path: Path) -> None:
    program = f"""
        from elsewhere import Other
        class Config({base}):
            pass
        def f(dim):
            width = 3 if isinstance(Config(), dict) else 8
            return torch.zeros(2, width) @ torch.zeros(3, 2)
        """
    assert bool(reported(tmp_path, program)) is is_known


@pytest.mark.parametrize("kind", ["torch.utils.data.Dataset", "Other"])
def test_an_object_of_a_project_class_is_of_the_types_of_its_bases(kind: str, tmp_path: Path) -> None:
    program = f"""
        from elsewhere import Other
        class Items({kind}):
            pass
        def f(n):
            width = 3 if not isinstance(Items(), {kind}) else 8
            return torch.zeros(2, width) @ torch.zeros(3, 2)
        """
    assert reported(tmp_path, program)


CLASSES = {
    "a layer": ("nn.Linear", True),
    "a class of the project": ("Noisy", True),
    "a class of the project, as an object": ("Noisy(4, 4)", False),
    "a layer, as an object of a base class": ("nn.Linear(4, 4)", True),
}


@pytest.mark.parametrize(("value", "is_other"), CLASSES.values(), ids=CLASSES)
def test_a_class_is_no_object_of_itself(value: str, is_other: bool, tmp_path: Path) -> None:
    program = f"""
        class Noisy(nn.Linear):
            pass
        def f(n):
            width = 3 if isinstance({value}, Noisy) else 8
            return torch.zeros(2, width) @ torch.zeros(3, 2)
        """
    assert bool(reported(tmp_path, program)) is is_other


@pytest.mark.parametrize("kind", ["torch.nn.Linear", "torch.nn.Module"])
def test_a_layer_that_is_not_built_is_no_module(kind: str) -> None:
    assert is_instance(ExternalReference("torch.nn.Linear"), ExternalReference(kind)) is False
