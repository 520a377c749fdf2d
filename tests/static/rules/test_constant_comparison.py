"""constant-comparison: a property of a tensor compared with another type."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FUNCTION = """
import numpy as np

def f(x: Tensor, y, z: Tensor, n: int, shape: tuple, sizes: list[int], anything):
    if {}:
        return x
    return n
"""

FOUND = {
    "a shape and a number": "x.shape == 4",
    "a shape and a size": "x.shape == n",
    "a size() and a number": "x.size() != 4",
    "the other way around": "4 == x.shape",
    "a part of a shape": "x.shape[1:] == 3",
    "a shape and a list": "x.shape == [2, 3]",
    "a size and a tuple": "x.shape[0] == (3,)",
    "a size(i) and a tuple": "x.size(0) == (3,)",
    "a rank and a tuple": "x.dim() == (2,)",
    "a length and a list": "len(x.shape) == [3]",
    "a method": "x.dim == 4",
    "two methods": "x.numel == z.numel",
    "two methods of which an attribute may be one": "x.dim != z.dim",
    "a method of a value whose shape is read": "y.numel == z.numel and y.shape == z.shape",
    "a tensor and its sizes": "z == x.shape",
    "a tensor and a part of a shape": "x.shape[-2:] != z",
    "a dtype and a string": 'x.dtype == "float32"',
    "a dtype and a type of numpy": "x.dtype == np.float32",
    "a dtype and a type of Python": "x.dtype == float",
    "a device and a string": 'x.device == "cuda"',
    "a shape among numbers": "x.shape in (3, 4)",
    "a device among strings": 'x.device not in ["cpu", "mps"]',
    "in a condition of several": "n > 1 and x.shape == 4",
    "a method and a call": "x.dim == z.dim()",
    "a call and a method": "x.size() == z.size",
    "a shape and a rank": "x.shape == z.dim()",
    "a shape and a tensor": "x.shape == z",
    "a part of a shape, behind a tensor": "z != x.shape[1:]",
    "a tensor and a shape by size()": "z == x.size()",
}

QUIET = {
    "a shape and a tuple": "x.shape == (2, 3)",
    "a shape and the items of a list": "list(x.shape) == [2, 3]",
    "a rank and a number": "x.dim() == 4",
    "a rank among numbers": "x.dim() in (3, 4)",
    "a shape and None": "x.shape == None",
    "a shape and an unknown value": "x.shape == anything",
    "a shape and an annotated tuple": "x.shape == shape",
    "a shape and an annotated list, which may be a shape": "x.shape == sizes",
    "a shape among shapes": "x.shape in ((2, 3), (3, 2))",
    "a dtype": "x.dtype == torch.float32",
    "a dtype that is an alias": "x.dtype == torch.float",
    "the type of a device": 'x.device.type == "cuda"',
    "a device as text": 'str(x.device) == "cpu"',
    "a device": 'x.device == torch.device("cpu")',
    "two numbers of elements": "x.numel() == z.numel()",
    "attributes of unknown objects": "y.numel == anything.numel",
    "attributes of other objects": "y.dim == anything.dim and y.shape",
    "two shapes": "z.shape == x.shape",
    "a size and an element": "x.shape[0] == z[0]",
    "an array and sizes": "y == x.shape",
    "a list of an unknown array": "y.shape == [2, 3]",
    "the dtype of an unknown array": 'y.dtype == "float32"',
    "the dtype of a column of an unknown array": "(y[:, 1] // anything).dtype == np.float32",
    "the shape of an unknown object": "anything.shape == 4",
    "the size of an unknown object": "anything.size == (2, 3)",
    "a size() of an unknown object": "anything.size() == 4",
    "the size() of two unknown objects": "4 == anything.size() == y.size()",
    "a method of one tensor": "x.numel == x.numel",
    "two methods that are called": "x.numel() == z.numel()",
    "two shapes by size()": "x.size() != z.size()",
    "a method and an unknown one": "x.numel == y.numel",
    "a shape and a tensor of an unknown type": "x.shape == y",
    "tensors": "(x == z).all()",
    "a size and elements": "(z == x.shape[0]).any()",
    "one of several types": 'x.dtype in ("float32", torch.float32)',
}


@pytest.mark.parametrize("condition", FOUND.values(), ids=FOUND)
def test_found(condition: str, tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, FUNCTION.format(condition))
    assert code == "constant-comparison"
    assert ("always true" in message) == ("!=" in condition or "not in" in condition)


@pytest.mark.parametrize("condition", QUIET.values(), ids=QUIET)
def test_quiet(condition: str, tmp_path: Path) -> None:
    assert reported(tmp_path, FUNCTION.format(condition)) == []


DEVICES = """
import torch

cpu, meta = torch.zeros(2, device="cpu"), torch.zeros(2, device="meta")

def differs(tensors, name):
    first, dtype = tensors[0].device, tensors[0].dtype
    return [t for t in tensors if {}]

differs([cpu, meta, nn.Linear(2, 2, device="meta").weight, torch.empty_like(cpu, device="meta")], "meta")
"""
BETWEEN_DEVICES = [
    "t.device != first",
    "first == t.device",
    "t.device in [one.device for one in tensors]",
    "t.device == torch.zeros(3, device=first).device",
    "t.device == getattr(cpu, 'device')",
    "t.device.type == name",
    "str(t.device) == name",
    "t.dtype != dtype",
]


@pytest.mark.parametrize("condition", BETWEEN_DEVICES)
def test_devices_of_tensors_are_no_strings(condition: str, tmp_path: Path) -> None:
    assert reported(tmp_path, DEVICES.format(condition)) == []


@pytest.mark.parametrize("condition", ["t.device == name", "t.device in (name, 'cpu')"])
def test_a_device_that_is_compared_with_a_name(condition: str, tmp_path: Path) -> None:
    ((_, code, _),) = reported(tmp_path, DEVICES.format(condition))
    assert code == "constant-comparison"


def test_found_before_an_argument_is_known_to_be_a_tensor(tmp_path: Path) -> None:
    source = """
        def mask(x):
            if x.shape == 4:  # HERE
                x = x.view(-1, x.shape[2], x.shape[3])
            batch, time, features = x.shape
            return x.new_zeros(batch, time, features)
        """
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "constant-comparison")


def test_an_assert_has_one_finding(tmp_path: Path) -> None:
    ((_, code, _),) = reported(tmp_path, "x = torch.zeros(2, 3)\nassert x.shape == 2\n")
    assert code == "constant-comparison"


OBJECTS = """
class Interval:
    def __init__(self, space, options):
        assert space.dim == 1
        self.space, self.options = space, options

    def contains(self, points):
        if points.dim == 2 or self.space.size == 4:
            return torch.zeros(points.dim, 2)
        return self.options.device == "cpu"


class Net(nn.Module):
    def __init__(self, options, space):
        super().__init__()
        self.fc = nn.Linear(options.dim, space.size)
        self.fast = options.device == "cuda" or options.dtype == "float16" or space.shape == 4
        for index in range(space.dim):
            self.fast = False

    def forward(self, x):
        y = self.fc(x)
        return y if {layer} else x


def project(x, space):
    y = torch.relu(x)
    return y if {function} else x
"""


def test_an_attribute_that_is_not_called_does_not_make_an_argument_a_tensor(tmp_path: Path) -> None:
    assert not reported(tmp_path, OBJECTS.format(layer="x.dim() == 2", function="space.dim == 2"))


def test_a_method_of_an_argument_that_is_used_as_a_tensor_is_reported(tmp_path: Path) -> None:
    found = reported(tmp_path, OBJECTS.format(layer="x.dim() == 2", function="x.dim == 2"))
    assert [code for _, code, _ in found] == ["constant-comparison"]


EVIDENT = """
class MixUp:
    def mix(self, x, lam):
        {before}
        if x.dim == 4:
            x[:, :, 1:2] = {use}
        return x
"""


def test_a_method_of_what_is_used_as_a_tensor(tmp_path: Path) -> None:
    source = EVIDENT.format(before="pass", use="x.flip(0)[:, :, 1:2]")
    ((_, code, message),) = reported(tmp_path, source)
    assert code == "constant-comparison"
    assert message == "`x.dim == 4` is always false: x.dim is a method, not a number; call x.dim()"


@pytest.mark.parametrize(
    ("before", "use"),
    [
        ("pass", "0"),
        ("pass", "x.transpose(0, 1)"),
        ("x = Grid(x)", "x.flip(0)"),
        ("if isinstance(x, Grid): return x", "x.flip(0)"),
        ("lam.flip(0)", "lam"),
    ],
)
def test_another_object_may_have_an_attribute_dim(before: str, use: str, tmp_path: Path) -> None:
    assert reported(tmp_path, EVIDENT.format(before=before, use=use)) == []
