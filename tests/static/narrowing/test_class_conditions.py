"""Conditions on classes: identity, equality, membership, isinstance."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

DECISIONS = """\
import inspect
import types
from collections.abc import Callable

class Called:
    def __call__(self, x): return x
    def run(self, x): return x

class Net(nn.Module):
    pass

class Wide(Net):
    pass

class Sized(Protocol):
    pass

class Row(NamedTuple):
    a: int

def act(x): return x
def other(x): return x

Pair = namedtuple("Pair", "a b")
Point = namedtuple("Point", "a b")
layer = nn.Linear(4, 2)
both = nn.Sequential(layer)
"""

TRUE = [
    "nn.Sigmoid == nn.Sigmoid",
    "nn.Sigmoid != nn.Softmax",
    "nn.Sigmoid is not nn.Softmax",
    "nn.ReLU in (nn.Sigmoid, nn.ReLU)",
    "nn.ReLU not in {nn.Sigmoid, nn.Tanh}",
    "F.relu is not F.gelu",
    "Net is not Wide",
    "Net != nn.Module",
    "Net in (Net, Wide)",
    "act is act",
    "act is not other",
    "act != F.relu",
    "nn.ReLU != 'relu'",
    "act != 'relu'",
    "'relu' != nn.ReLU",
    "nn.ReLU is not None",
    "type(x) not in {tuple, list}",
    "type(x) != list",
    "type(x) is not int",
    "list != type(x)",
    "type([x]) in (list, tuple)",
    "type((x, x)) is tuple",
    "type(layer) is nn.Linear",
    "type(layer) in (nn.Conv2d, nn.Linear)",
    "type(layer) != nn.Conv2d",
    "type(both) is nn.Sequential",
    "type(Wide()) is Wide",
    "type(Wide()) is not Net",
    "type(Pair(1, 2)) is Pair",
    "type(Pair(1, 2)) is not tuple",
    "isinstance(Pair(1, 2), Pair)",
    "isinstance(Pair(1, 2), tuple)",
    "not isinstance(Pair(1, 2), Point)",
    "not isinstance((1, 2), Pair)",
    "not isinstance('text', Pair)",
    "not isinstance('text', Row)",
    "not isinstance(3, Net)",
    "not isinstance(None, Row)",
    "not isinstance(x, Net)",
    "not isinstance(x, (Row, Pair))",
    "not isinstance(layer, Net)",
    "isinstance(Wide(), Net)",
    "not isinstance(Net(), Wide)",
    "inspect.isfunction(act)",
    "inspect.isfunction(lambda x: x)",
    "not inspect.isfunction(layer)",
    "not inspect.isfunction(both)",
    "not inspect.isfunction(nn.ReLU)",
    "not inspect.isfunction(Net())",
    "not inspect.isfunction('act')",
    "not inspect.isfunction(functools.partial(act))",
    "inspect.isclass(nn.ReLU)",
    "inspect.isclass(Net)",
    "not inspect.isclass(F.relu)",
    "not inspect.isclass(torch.relu)",
    "not inspect.isclass(act)",
    "not inspect.isclass(layer)",
    "not inspect.isclass(Called())",
    "not inspect.isclass(x.view)",
    "inspect.ismethod(Called().run)",
    "not inspect.ismethod(act)",
    "inspect.isroutine(torch.relu)",
    "inspect.isroutine(act)",
    "not inspect.isroutine(Called())",
    "not inspect.ismodule(layer)",
    "not inspect.iscoroutinefunction(act)",
    "callable(Called())",
    "callable(F.relu)",
    "callable(nn.ReLU)",
    "callable(both)",
    "callable(x.view)",
    "not callable(x)",
    "isinstance(act, types.FunctionType)",
    "not isinstance(layer, types.FunctionType)",
    "not isinstance(Called(), types.FunctionType)",
    "isinstance(Called().run, types.MethodType)",
    "isinstance(layer, Callable)",
    "not isinstance(x, Callable)",
    "not isinstance(layer, functools.partial)",
]

UNKNOWN = [
    "type(x) is torch.Tensor",
    "type(x) == nn.Parameter",
    "isinstance(x, Sized)",
    "isinstance('text', Sized)",
    "torch.relu is F.relu",
]

DOUBTFUL = [
    "inspect.isfunction(F.relu)",
    "inspect.isbuiltin(x.view)",
]
"""Tests of the kind of a value that is certain, though its kind is not known."""


def _branches(condition: str, then: str, otherwise: str) -> str:
    return f"{DECISIONS}\nif {condition}:\n    {then}\nelse:\n    {otherwise}\n"


@pytest.mark.parametrize("condition", TRUE)
def test_only_the_branch_that_python_takes_is_run(condition: str, tmp_path: Path) -> None:
    execute(_branches(condition, "pass", "raise AssertionError"))
    assert findings(tmp_path, _branches(condition, "pass", "x.view(3)")) == []
    assert len(findings(tmp_path, _branches(condition, "x.view(3)", "pass"))) == 1


@pytest.mark.parametrize("condition", UNKNOWN)
def test_both_branches_of_an_open_condition_are_run(condition: str, tmp_path: Path) -> None:
    assert len(findings(tmp_path, _branches(condition, "x.view(3)", "x.view(5)"))) == 2


@pytest.mark.parametrize("condition", DOUBTFUL)
def test_no_branch_for_a_kind_that_a_value_may_not_have_is_reported(condition: str, tmp_path: Path) -> None:
    setup = f"{DECISIONS}\nvalue = {condition.partition('(')[2].removesuffix(')')}\n"
    test = f"{condition.partition('(')[0]}(value)"
    for rest in (f"if {test}: x.view(3)\nelse: x.view(5)", f"x.view(3) if {test} else x.view(5)"):
        assert findings(tmp_path, setup + rest) == []
    assert len(findings(tmp_path, f"{setup}if {test}: pass\nx.view(5)")) == 1


_DISPATCH = """
from library import spaces

def prepare(x, space):
    if isinstance(space, spaces.Discrete):
        return x.float()
    elif isinstance(space, spaces.Several):
        return torch.split(x, 1, dim=1)
    {rest}

prepare(torch.tensor([2]), spaces.{made}(3))
"""


@pytest.mark.parametrize(
    ("made", "rest", "count"),
    [
        ("Discrete", "return x.view(3)", 0),  # its own class: only the first branch is run
        ("Box", "raise NotImplementedError", 0),  # the branches for other classes do not concern it
        ("Box", "return x.view(3)", 1),  # what follows them does
        ("Several", "return x", 0),  # a branch for its own class, after an unknown condition
    ],
)
def test_a_branch_for_another_class_is_not_reported(made: str, rest: str, count: int, tmp_path: Path) -> None:
    assert len(findings(tmp_path, _DISPATCH.format(made=made, rest=rest))) == count


def test_an_object_of_a_class_with_an_unknown_base_has_the_class(tmp_path: Path) -> None:
    source = """
        from library import Space

        class Box(Space): pass
        class Discrete(Space): pass

        def prepare(x, space):
            if isinstance(space, Box):
                return x.view(3)
            return x.view(5)

        prepare(x, Discrete())
        """
    assert [one.partition(" is ")[0] for one in findings(tmp_path, source)] == ["view: shape (5,)"]


_OTHER_TYPES = {
    "a string, of a type of another library": ("library.Source", "'abc'", "a, b = value", "value.view(3)"),
    "a string, of a type from a module": ("mystery().Source", "'abc'", "a, b = value", "x.view(3)"),
    "a tensor, of a type of another library": ("library.Graph", "x", "value.transpose(0)", "x.transpose(0)"),
    "a tensor, of a mapping of the project": ("Record", "x", "value['logits']", "value.shape[7]"),
    "a layer, of a type of another library": ("(library.Head, library.Tail)", "layer", "value(x)", "x.transpose(0)"),
    "a tensor, of a mapping": ("Mapping", "x", "value['logits']", None),
}


@pytest.mark.parametrize(("kind", "given", "inside", "wrong"), _OTHER_TYPES.values(), ids=_OTHER_TYPES)
def test_in_a_branch_for_another_type_the_value_is_unknown(
    kind: str, given: str, inside: str, wrong: str | None, tmp_path: Path
) -> None:
    source = """
        import library
        from collections.abc import Mapping
        from library import mystery

        layer = nn.Linear(4, 2)

        class Record(dict):
            pass

        def take(value):
            if isinstance(value, {kind}):
                {inside}
            else:
                {otherwise}

        take({given})
        """
    assert findings(tmp_path, source.format(kind=kind, given=given, inside=inside, otherwise="pass")) == []
    otherwise = (
        inside
        if wrong is None
        else wrong.replace("value.view", "x.view")
        .replace("value.transpose", "x.transpose")
        .replace("value.shape[7]", inside)
    )
    assert len(findings(tmp_path, source.format(kind=kind, given=given, inside="pass", otherwise=otherwise))) == 1


_REFLECTING = {
    "by the specification": "spec = inspect.getfullargspec(make.__init__)\n    if 'device' in spec.args:",
    "by the signature": "if 'device' in inspect.signature(make).parameters:",
    "by a name of it": "names = inspect.signature(make).parameters\n    new = set(names)\n    if 'device' in new:",
    "by the code": "if 'device' in make.__init__.__code__.co_varnames:",
}


_BUILDING = """
import inspect

def build(make, device):
    {condition}
        return make(device)
    return make(*())

build(nn.Tanh, 1)
"""


@pytest.mark.parametrize("condition", _REFLECTING.values(), ids=_REFLECTING)
def test_a_branch_for_callables_with_other_parameters_is_not_reported(condition: str, tmp_path: Path) -> None:
    source = _BUILDING.format(condition=condition)
    assert findings(tmp_path, source) == []
    assert len(findings(tmp_path, source + "\nnn.Tanh(1)\n")) == 1
    assert len(findings(tmp_path, source.replace("return make(*())", "pass\n    return make(1)"))) == 1


_SPLITTING = """
from library import decide

def split(name, found):
    {condition}
        first, rest = name.split(".", 1)
        return rest

split("{text}", decide())
"""


@pytest.mark.parametrize(
    ("condition", "text", "count"),
    [
        ("if found:", "noise", 0),  # the condition may have tested the text
        ("if found:", "covar.noise", 0),
        ("if True:", "noise", 1),
        ("if True:", "covar.noise", 0),
    ],
)
def test_the_parts_of_a_text_are_counted_where_it_is_certain(
    condition: str, text: str, count: int, tmp_path: Path
) -> None:
    assert len(findings(tmp_path, _SPLITTING.format(condition=condition, text=text))) == count


@pytest.mark.parametrize(
    ("given", "attribute", "count"),
    [
        ("x", "logits", 0),  # no tensor
        ("x", "keys", 0),
        ("x", "view", 1),
        ("x", "shape", 1),
        ("x", "__len__", 1),
    ],
)
def test_a_value_with_an_attribute_of_other_types_is_unknown(
    given: str, attribute: str, count: int, tmp_path: Path
) -> None:
    source = f"def take(out):\n    if hasattr(out, '{attribute}'):\n        out.transpose(0)\n"
    assert len(findings(tmp_path, f"{source}\ntake({given})\n")) == count


@pytest.mark.parametrize(
    ("given", "attribute", "count"),
    [("'text'", "fetch", 0), ("'text'", "split", 1), ("4", "shape", 0), ("4", "real", 1), ("'text'", "__len__", 1)],
)
def test_a_branch_for_an_attribute_that_a_plain_value_lacks_is_not_run(
    given: str, attribute: str, count: int, tmp_path: Path
) -> None:
    source = f"def take(out):\n    if hasattr(out, '{attribute}'):\n        torch.zeros(3).view(7)\n"
    assert len(findings(tmp_path, f"{source}\ntake({given})\n")) == count


_MIXED_BLOCKS = """\
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x, skip=None):
        return x, x

class Net(nn.Module):
    def __init__(self, kinds=("pair", "pair")):
        super().__init__()
        self.blocks = nn.ModuleList([Pair() for kind in kinds])

    def forward(self, x: Float[Tensor, "b 4"]):
        for block in self.blocks:
            if hasattr(block, "{attribute}"):
                x, y, skip = block(x)
            else:
                x, y = block(x)
        return x
"""


@pytest.mark.parametrize(
    ("attribute", "count"), [("skip_conv", 0), ("_skip", 0), ("scale", 1), ("register_buffer", 1), ("training", 1)]
)
def test_a_module_with_an_attribute_that_its_class_lacks_is_another_module(
    attribute: str, count: int, tmp_path: Path
) -> None:
    assert len(findings(tmp_path, _MIXED_BLOCKS.format(attribute=attribute))) == count


def test_self_stays_known_under_an_attribute_that_other_code_may_set(tmp_path: Path) -> None:
    source = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 8)

    def forward(self, x: Float[Tensor, "b 4"]):
        if hasattr(self, "extra"):
            return self.layer(self.layer(x))
        return x
"""
    assert len(findings(tmp_path, source)) == 1


_SAME_TYPE = """\
import pathlib

def restored(given):
    if isinstance(given, torch.Tensor):
        return torch.empty(given.shape)
    return pathlib.Path("")

def test():
    for value in (torch.rand(2, 3), pathlib.Path("abc")):
        found = {made}
        assert isinstance(found, type(value))
        if isinstance(found, torch.Tensor):
            assert (found == value).all()
        else:
            assert {compared}
"""


@pytest.mark.parametrize(
    ("made", "compared", "count"),
    [
        ("restored(value)", "found == value", 0),
        ("load(value)", "found == value", 0),
        ("restored(value)", "torch.rand(2, 3) == torch.rand(2, 3)", 1),
    ],
)
def test_an_object_of_the_type_of_a_tensor_is_a_tensor(made: str, compared: str, count: int, tmp_path: Path) -> None:
    assert len(findings(tmp_path, _SAME_TYPE.format(made=made, compared=compared))) == count
