"""What an observer records of a run, and its figures: known, imprecise, unknown, never evaluated, disabled."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.project.files import display_path
from shapecheck.spec import TensorSpec, unknown
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.entry.checker import Checker
from shapecheck.static.observing.observer import Precision, RunObserver, precision_of
from shapecheck.static.observing.shapes import assigned_names
from shapecheck.static.observing.statistics import RunStatistics, run_statistics

HEAD = "import torch\nfrom torch import nn, Tensor\nimport torch.nn.functional as F\n"


def watched(folder: Path, text: str) -> tuple[Checker, RunObserver]:
    path = folder / "net.py"
    path.write_text(HEAD + textwrap.dedent(text))
    watch = RunObserver()
    checker = Checker([path], watch=watch)
    checker.findings(path, {str(path)})
    return checker, watch


def figures(folder: Path, text: str) -> RunStatistics:
    checker, watch = watched(folder, text)
    files = [one for path in checker.project.files if (one := checker.project.load(path))]
    return run_statistics(checker.session, watch, files)


def module(body: str, init: str = "self.fc = nn.Linear(4, 8)", arguments: str = "self, x") -> str:
    return (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        + textwrap.indent(init, " " * 8)
        + f"\n\n    def forward({arguments}):\n"
        + textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
        + "\n"
    )


CALLED = "Net()(torch.zeros(2, 4))\n"

COUNTED = {
    # what forward does: (expressions, of known rank, with known sizes)
    "a call of a layer and the names around it": (module("y = self.fc(x)\nreturn y") + CALLED, (3, 3, 3)),
    "without a caller the argument is unknown": (module("return self.fc(x)"), (2, 0, 0)),
    "numbers and shapes are not tensors": (module("b, c = x.shape\nn = b * c\nreturn x.view(n)") + CALLED, (3, 3, 3)),
    "an operator, a subscript and an attribute": (module("return (x + x[:1]).T") + CALLED, (5, 5, 5)),
    "a method of an unknown is probably a tensor": (module("return x.relu()"), (2, 0, 0)),
    "a size or a truth value of an unknown does not count": (module("return x.size(0), x.dim() == 2"), (2, 0, 0)),
    "a parameter annotated as another type does not count": (
        module("return x * n", arguments="self, x: Tensor, n: int, flag: bool = True"),
        (2, 0, 0),
    ),
    "the parts of an unknown value count, their container does not": (
        module("a, b = x.chunk(2)\nreturn a + b"),
        (4, 0, 0),
    ),
    "a call that a condition tests for its truth does not count": (
        "from elsewhere import given\n" + module("if given(x) and not given(self):\n    return x"),
        (2, 0, 0),
    ),
    "a branch that only another argument enters": (
        "class Net(nn.Module):\n    def __init__(self, deep=False):\n        super().__init__()\n"
        "        self.deep, self.conv = deep, nn.Conv2d(3, 8, 3)\n\n"
        "    def forward(self, x):\n        if self.deep:\n            return self.conv(x)\n        return x\n",
        (3, 2, 2),
    ),
    "a model that another one wraps is as its annotation says": (
        "class Inner(nn.Module):\n    def __init__(self, width=8):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(3, width, 3)\n\n    def forward(self, x):\n        return self.conv(x)\n"
        "class Outer(nn.Module):\n    def __init__(self, net: Inner):\n        super().__init__()\n"
        "        self.net = net\n\n    def forward(self, x):\n        return self.net(x)\n",
        (4, 4, 4),
    ),
    "a configuration is as its annotation says": (
        "from dataclasses import dataclass\n@dataclass\nclass Config:\n    layers: int = 2\n    width: int = 8\n"
        "class Net(nn.Module):\n    def __init__(self, config: Config):\n        super().__init__()\n"
        "        if isinstance(config, dict):\n            config = Config(**config)\n"
        "        self.convs = nn.ModuleList([nn.Conv2d(3, 3, 1) for _ in range(config.layers)])\n"
        "    def forward(self, x):\n        for one in self.convs:\n            x = one(x)\n        return x\n",
        (3, 3, 3),
    ),
    "the usual rank of what is transposed by its attribute": (module("return self.fc(x).T"), (3, 3, 3)),
    "the best of two calls counts": (
        module("return self.fc(x)") + "def f(x):\n    return Net()(x)\n\n" + CALLED,
        (2, 2, 2),
    ),
    "the result of an unknown function of a tensor": (
        "from elsewhere import f\n" + module("y = f(x)\nreturn y + 1") + CALLED,
        (4, 1, 1),
    ),
    "a method that forward calls counts": (
        module("return self.half(x)") + "\n    def half(self, y):\n        return y / 2\n" + CALLED,
        (4, 4, 4),
    ),
    "a function of another kind of class does not": (
        "class Plain:\n    def forward(self, x):\n        return x + 1\n" + CALLED.replace("Net()(", "print("),
        (0, 0, 0),
    ),
    "code that is never evaluated counts as unknown": (
        "class Net(nn.Module):\n    def __init__(self, *sizes):\n        pass\n\n"
        "    def forward(self, x):\n        return F.relu(x) + 1\n",
        (3, 0, 0),
    ),
    "an unknown width, and its product with a float": (
        "class Net(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "        self.up = nn.Linear(width, int(width * 4.0))\n\n"
        "    def forward(self, x):\n        b, c = x.shape\n        return self.up(x)\n",
        (3, 3, 3),
    ),
    "names for the sizes": (module("b, c = x.shape\nreturn x + 1"), (3, 3, 3)),
    "a rank without sizes": (
        module("b, c = x.shape\nreturn torch.unique(x)"),
        (3, 3, 2),
    ),
    "a class that requires a size, with None as another default": (
        "class Net(nn.Module):\n    def __init__(self, width, norm=None):\n        super().__init__()\n"
        "        self.norm = (norm or nn.BatchNorm2d)(width)\n\n"
        "    def forward(self, x):\n        return self.norm(x)\n",
        (2, 2, 2),
    ),
}


@pytest.mark.parametrize(("text", "expected"), COUNTED.values(), ids=COUNTED)
def test_the_tensor_expressions_of_a_forward(text: str, expected: tuple[int, int, int], tmp_path: Path) -> None:
    found = figures(tmp_path, text)
    assert (found.expressions, found.rank, found.sizes) == expected


OFF = {
    "if": ("if self.aux:\n    x = x + 1\nreturn x", "self.aux = False", 2),
    "else": ("if self.aux:\n    pass\nelse:\n    x = x + 1\nreturn x", "self.aux = True", 2),
    "after a return": ("if self.aux:\n    return x\nreturn x + 1", "self.aux = True", 2),
    "a conditional expression": ("return x + 1 if self.aux else x", "self.aux = False", 2),
    "nothing if the condition is unknown": ("if self.aux:\n    x = x + 1\nreturn x", "self.aux = f()", 0),
    "nothing if both branches were evaluated": ("if x.shape[0] > 2:\n    x = x + 1\nreturn x", "pass", 0),
}


@pytest.mark.parametrize(("body", "init", "off"), OFF.values(), ids=OFF)
def test_code_that_the_configuration_disables_is_counted_separately(
    body: str, init: str, off: int, tmp_path: Path
) -> None:
    found = figures(tmp_path, module(body, init) + CALLED + CALLED.replace("2", "3"))
    assert found.off == off
    assert found.rank == found.expressions


REASONS = {
    "an argument of a call": (
        "return self.g(x)\n\ndef g(self, y):\n    return y",
        "argument without a shape from any caller",
        3,
    ),
    "an unsupported call": ("y = f(x)\nz = y + 1\nreturn z * 2", "call of an unknown value", 7),
    "an argument": ("y = x + 1\nreturn y", "argument without a shape from any caller", 3),
}


@pytest.mark.parametrize(("body", "reason", "count"), REASONS.values(), ids=REASONS)
def test_an_unknown_value_is_traced_to_its_root_cause(body: str, reason: str, count: int, tmp_path: Path) -> None:
    called = CALLED if "f(x)" in body else ""
    text = "class C: pass\nf = C().f\n" + module(body, arguments="self, x: Tensor") + called
    found = figures(tmp_path, text)
    assert found.reasons == {reason: found.expressions - found.rank}
    assert count >= found.expressions - found.rank > 0


def test_why_a_forward_was_not_run(tmp_path: Path) -> None:
    found = figures(
        tmp_path,
        "from somewhere import Base\n"
        "class A(nn.Module):\n    def __init__(self, *n): pass\n    def forward(self, x): return x\n"
        "class B(nn.Module, Base):\n    def forward(self, x): return x\n"
        "class C(nn.Module):\n    def forward(self, *x): return x\n"
        "class D(nn.Module):\n    def forward(self, x): return x\n"
        "def f():\n    class E(nn.Module):\n        def forward(self, x): return x\n",
    )
    assert (found.forwards, found.forwards_run) == (5, 3)
    assert found.skipped == {
        "a class has an unsupported base or decorator": 1,
        "class never instantiated": 1,
    }
    path = display_path(tmp_path / "net.py")
    assert {reason: found.places[reason] for reason in found.skipped} == {
        "a class has an unsupported base or decorator": [f"{path}:8"],
        "class never instantiated": [f"{path}:15"],
    }


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (1, Precision.NO_TENSOR),
        (Alternatives((None, TensorSpec((2, 3)))), Precision.SIZES),
        (Alternatives((None, 1, "a")), Precision.NO_TENSOR),
        (Alternatives((TensorSpec((2, 3)), TensorSpec((2,)))), Precision.UNKNOWN),
        (TensorSpec((..., 3)), Precision.TENSOR),
        (TensorSpec((unknown(), 3)), Precision.RANK),
        (TensorSpec(("b", 3)), Precision.SIZES),
        (TensorSpec((unknown("n") * 2, 3)), Precision.SIZES),
    ],
)
def test_levels_of_knowledge(value: object, level: Precision) -> None:
    assert precision_of(value) is level


def test_the_assigned_tensors_of_a_file(tmp_path: Path) -> None:
    checker, watch = watched(
        tmp_path,
        """
        def f(x, n=3):
            y = x * 2
            a, b = y.chunk(2)
            size = x.shape
            return y

        f(torch.zeros(2, 4))
        f(torch.zeros(6))

        def g(x):
            b, c = x.shape
            z = torch.relu(x)
            return z

        def h(x: Tensor):
            g(x)
            f(x)

        model = nn.Linear(2, 2)
        model.extra = torch.ones(1)
        """,
    )
    loaded = checker.project.load(checker.project.files[0])
    assert loaded
    shown = {one.name: one.text() for one in assigned_names(watch, loaded.tree)}
    assert shown == {
        "y": "torch.float32 (2, 4) or torch.float32 (6,) or (b, c)",
        "a": "torch.float32 (1, 4) or torch.float32 (3,) or ((b+1)//2, c)",
        "b": "torch.float32 (1, 4) or torch.float32 (3,) or (b//2, c)",
        "z": "(b, c)",
        "model.extra": "torch.float32 (1,)",
    }


ASSUMED = {
    # parameters and the body of forward: (name, shape)
    "a mask that is used if it is present": (
        "self, x: Tensor, mask=None",
        "if mask is not None:\n    b, n = mask.shape\n    a = mask * 2\nreturn x",
        ("a", "(d0, d1)"),
    ),
    "annotated as optional": (
        "self, x: Tensor, mask: Tensor | None = None",
        "if mask is not None:\n    m = mask * 2\n    m.permute(0, 2, 1)\nreturn x",
        ("m", "(d0, d1, d2)"),
    ),
    "a use in one branch": (
        "self, x, flag",
        "y = x * 2\nif flag:\n    x = nn.Conv2d(3, 8, 3)(x)\nreturn y",
        ("y", "(n, 3, h, w)"),
    ),
    "arguments that exclude each other": (
        "self, ids=None, embeds=None",
        "if ids is not None and embeds is not None:\n    raise ValueError\n"
        "if ids is None:\n    b, t, d = embeds.shape\n    e = embeds * 2\n    return e\nreturn ids",
        ("e", "(d0, d1, d2)"),
    ),
}


@pytest.mark.parametrize(("arguments", "body", "expected"), ASSUMED.values(), ids=ASSUMED)
def test_an_observer_sees_arguments_as_their_uses_require(
    arguments: str, body: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    checker, watch = watched(tmp_path, module(body, arguments=arguments))
    loaded = checker.project.load(checker.project.files[0])
    assert loaded
    assert expected in {(one.name, one.text()) for one in assigned_names(watch, loaded.tree)}


def test_what_is_assumed_is_not_reported(tmp_path: Path) -> None:
    body = "if flag:\n    x = nn.Conv2d(3, 8, 3)(x)\nelse:\n    x = x.permute(1, 0)\nreturn x"
    checker, _ = watched(tmp_path, module(body, arguments="self, x: Tensor, flag"))
    found = checker.findings(checker.project.files[0], {str(checker.project.files[0])})
    assert {one.code for one in found} <= {"unused-layer"}


def test_without_an_observer_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(HEAD + module("return self.fc(x)") + CALLED)
    checker = Checker([path])
    checker.findings(path, set())
    assert checker.session.watch is None
