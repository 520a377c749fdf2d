"""Programs that replace parts of modules, or functions and classes of torch, in rare ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

HOLDER = """
import torch.nn.utils.parametrize as parametrize
from torch.func import functional_call


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 8)
        self.w = nn.Parameter(torch.zeros(10, 8))

    def forward(self, x):
        return self.fc(x)


class Part(nn.Module):
    def forward(self, w):
        return w[:3, :5]


def use():
    net = Holder()
    {change}
    return {result}


use()
"""
CALL = "net.fc(torch.zeros(2, 5))"
SUM = "net.w + torch.zeros(3, 5)"

CHANGED = {
    "a layer in vars": ('vars(net)["_modules"]["fc"] = nn.Linear(5, 8)', CALL),
    "a layer in __dict__": ('net.__dict__["_modules"]["fc"] = nn.Linear(5, 8)', CALL),
    "all layers in vars": (
        'layers = vars(net)["_modules"]\n    for name in list(layers):\n        layers[name] = nn.Linear(5, 8)',
        CALL,
    ),
    "a parameter in vars": ('vars(net)["_parameters"]["w"] = nn.Parameter(torch.zeros(3, 5))', SUM),
    "a parametrized layer": ('parametrize.register_parametrization(net.fc, "weight", Part(), unsafe=True)', CALL),
    "a parametrized parameter": (
        'torch.nn.utils.parametrize.register_parametrization(net, "w", Part(), unsafe=True)',
        SUM,
    ),
    "other parameters": ("pass", 'functional_call(net, {"fc.weight": torch.zeros(8, 5)}, (torch.zeros(2, 5),))'),
    "other parameters of a layer": (
        "pass",
        'functional_call(net.fc, {"weight": torch.zeros(3, 5), "bias": torch.zeros(3)}, torch.zeros(2, 5))',
    ),
    "the forward of a layer": ("nn.Linear.forward = lambda self, x: x", CALL),
    "the forward of a layer, by name": ('setattr(nn.Linear, "forward", lambda self, x: x)', CALL),
    "the forward of one layer": ("net.fc.forward = lambda x: x", CALL),
    "the forward of one layer, in a function": (
        "def change(layer):\n        layer.forward = lambda x: x\n    change(net.fc)",
        CALL,
    ),
    "the forward of a layer that is not known": (
        "for one in unknown_layers(net):\n        one.forward = lambda x: x",
        CALL,
    ),
    "the call of all modules": ("nn.Module.__call__ = lambda self, x: x", CALL),
    "the call of all modules, of an object": ("nn.Module.__call__ = lambda self, x: x", "net(torch.zeros(2, 5))"),
    "the forward of a container": (
        "torch.nn.Sequential.forward = lambda self, x: x",
        "nn.Sequential(nn.Linear(3, 4))(torch.zeros(2, 5))",
    ),
    "a layer of torch": ("nn.Conv2d = nn.Linear", "nn.Conv2d(3, 4)(torch.zeros(2, 3))"),
    "a function": ("torch.cat = lambda tensors: tensors[0]", "torch.cat([torch.zeros(2, 3), torch.zeros(2, 4)])"),
    "a method of tensors": ("torch.Tensor.view = lambda self, n: self", "torch.zeros(2, 3).view(7)"),
    "an operator of tensors": (
        "torch.Tensor.__add__ = lambda one, other: one",
        "torch.zeros(2, 3) + torch.zeros(5)",
    ),
}
UNCHANGED = {
    "another item of vars": ('vars(net)["label"] = "a"', CALL),
    "another layer in vars": ('vars(net)["_modules"]["other"] = nn.Linear(5, 8)', CALL),
    "a parametrization that keeps the shape": (
        'parametrize.register_parametrization(net.fc, "weight", nn.Identity())',
        CALL,
    ),
    "the same parameters": ("pass", "functional_call(net, dict(net.named_parameters()), torch.zeros(2, 5))"),
    "parameters of the same shapes": (
        "pass",
        'functional_call(net.fc, {"weight": torch.ones(8, 10)}, (torch.zeros(2, 5),))',
    ),
    "the forward of one other layer": ("other = nn.Linear(3, 4)\n    other.forward = lambda x: x", CALL),
    "the forward of another layer": ("nn.Conv2d.forward = lambda self, x: x", CALL),
    "the initialization of a layer": ("nn.Linear.reset_parameters = lambda self: None", CALL),
    "a switch of torch": ("torch.backends.cudnn.benchmark = True", CALL),
    "another function": ("F.relu = torch.sigmoid", CALL),
}


@pytest.mark.parametrize("case", CHANGED)
def test_what_is_replaced_is_unknown(tmp_path: Path, case: str) -> None:
    change, result = CHANGED[case]
    path, _ = lines_of(tmp_path, HOLDER.format(change=change, result=result))
    assert check([path]) == []


@pytest.mark.parametrize("case", UNCHANGED)
def test_everything_else_is_known(tmp_path: Path, case: str) -> None:
    change, result = UNCHANGED[case]
    path, _ = lines_of(tmp_path, HOLDER.format(change=change, result=result))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


FILLED = """
plain_add = torch.add


def judge(names):
    found = {{"a": []}}

    def noting(x, y):
        found["a"].append(x)
        return plain_add(x, y)

    {change}
    torch.rand(3) + torch.rand(3)
    return torch.cat(found["a"])


judge(["a"])
"""


@pytest.mark.parametrize(("change", "codes"), [("torch.add = noting", []), ("pass", ["shape-mismatch"])])
def test_a_function_in_the_place_of_one_of_torch_is_called(tmp_path: Path, change: str, codes: list[str]) -> None:
    path, _ = lines_of(tmp_path, FILLED.format(change=change))
    assert [one.code for one in check([path])] == codes


SHARED = {
    "one object of the class": """
        class Settings:
            made = None

            def __new__(cls):
                if cls.made is None:
                    cls.made = super().__new__(cls)
                    cls.made.width = 8
                return cls.made
        """,
    "attributes that all objects share": """
        class Settings:
            state = {}

            def __init__(self):
                self.__dict__ = self.state
                if not hasattr(self, "width"):
                    self.width = 8
        """,
    "an object of its own": """
        class Settings:
            def __init__(self):
                self.width = 8
        """,
}
USE = """

        def use():
            Settings().width = 4
            return nn.Linear(Settings().width, 3)(torch.zeros(2, 4))
"""


@pytest.mark.parametrize("case", SHARED)
def test_state_that_objects_share(tmp_path: Path, case: str) -> None:
    path, _ = lines_of(tmp_path, SHARED[case].rstrip(" ") + USE)
    expected = ["shape-mismatch"] if case == "an object of its own" else []
    assert [one.code for one in check([path])] == expected


CONVERTED = """
        class Pair(nn.Module):
            def forward(self, mean, covariance):
                return mean

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.head = Pair()

            def {name}(self, other):
                self.{written} = other

            def forward(self, x):
                return self.head(x)
"""


@pytest.mark.parametrize(
    ("name", "written", "count"), [("convert", "head", 0), ("convert", "tail", 1), ("__post_init__", "head", 1)]
)
def test_a_layer_that_users_of_the_object_exchange(tmp_path: Path, name: str, written: str, count: int) -> None:
    """`forward` may be written for what `convert()` puts in place of the layer."""
    path, _ = lines_of(tmp_path, CONVERTED.format(name=name, written=written))
    assert [one.code for one in check([path])] == ["wrong-call"] * count
