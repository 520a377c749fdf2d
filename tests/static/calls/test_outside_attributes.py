"""Attributes of arguments, such as configurations, and of functions that libraries define."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NET = """
class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        {before}
        self.up = nn.Linear(cfg.dim, 4 * cfg.dim)
        {between}
        self.down = nn.Linear({taken}, cfg.dim)

    def forward(self, x):
        return self.down(self.up(x))
"""
FOUND = {
    "another multiple of one size": ("", "", "3 * cfg.dim"),
    "a number": ("", "", "8 * cfg.dim"),
    "a nested configuration": ("cfg = cfg.model", "", "3 * cfg.dim"),
    "another attribute that is assigned": ("", "cfg.width = 3", "3 * cfg.dim"),
}
QUIET = {
    "the same size": ("", "", "4 * cfg.dim"),
    "another attribute": ("", "", "3 * cfg.width"),
    "an attribute of another argument": ("", "cfg = other(cfg)", "3 * cfg.dim"),
    "an attribute that is assigned": ("", "cfg.dim = 5", "3 * cfg.dim"),
    "an attribute that is assigned before": ("cfg.dim = 5", "", "3 * cfg.dim"),
    "an attribute that unknown code may assign": ("", "update(cfg)", "3 * cfg.dim"),
    "a method": ("", "", "3 * cfg.dim()"),
    "an attribute of what is computed": ("", "cfg = cfg + 1", "3 * cfg.dim"),
}
ATTENTION = """
class Attention(nn.Module):
    def __init__(self, config, patch):
        super().__init__()
        self.heads, self.head_dim = config.heads, config.dim // config.heads
        self.qkv = nn.Linear(config.dim, 3 * config.dim)
        self.table = nn.Parameter(torch.zeros(1, config.tokens + 1, config.dim))
        self.flat = nn.Linear(patch * patch, 4)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
        reveal_shape(q @ k.mT)
        reveal_shape(self.table)
        reveal_shape(self.flat.weight)
"""


def test_sizes_are_named_after_what_they_are_read_from(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, "from shapecheck import reveal_shape\n" + ATTENTION)
    assert [one.message for one in check([path])] == [
        "torch.float32 (b, heads, t, t)",
        "torch.float32 (1, tokens+1, dim)",
        "torch.float32 (4, patch**2)",
    ]


NAMES = """
aten = torch.ops.aten
KNOWN = {aten.mm: 1, aten.bmm.default: 2}


def names():
    return [one.__name__ for one in KNOWN if not one.__name__.endswith(".default")]
"""


@pytest.mark.parametrize("case", FOUND)
def test_an_attribute_of_an_argument_is_one_value(tmp_path: Path, case: str) -> None:
    before, between, taken = FOUND[case]
    path, _ = lines_of(tmp_path, NET.format(before=before, between=between, taken=taken))
    assert [one.code for one in check([path])] == ["shape-mismatch"]


@pytest.mark.parametrize("case", QUIET)
def test_what_may_have_changed_is_unknown(tmp_path: Path, case: str) -> None:
    before, between, taken = QUIET[case]
    path, _ = lines_of(tmp_path, NET.format(before=before, between=between, taken=taken))
    assert check([path]) == []


def test_the_name_of_a_function_is_a_text(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, NAMES)
    assert check([path]) == []


OPERATORS = """
aten = torch.ops.aten
KNOWN = {aten.sigmoid.default: 1, aten.relu_.default: 2}


def pairs():
    return [one for one in KNOWN if one._schema.name.endswith("_")]


def changes(op, x):
    if KEY:
        reveal_shape(x)


changes(aten.relu_.default, torch.rand(4, 4))
pairs()
"""


@pytest.mark.parametrize(
    "key",
    [
        'op._schema.name.split("::")[1].endswith("_")',
        'op.name().split("::")[1] == "relu_"',
        'op._opname == "relu_"',
        'op.overloadpacket == "relu_"',
        "op.is_view",
        'op.overloadpacket._qualified_op_name.rsplit("::")[1]',
        'not op.namespace.startswith("aten")',
    ],
)
def test_what_describes_an_operator_is_unknown(tmp_path: Path, key: str) -> None:
    path, _ = lines_of(tmp_path, OPERATORS.replace("KEY", key))
    assert [one.message for one in check([path])] == ["torch.float32 (4, 4)"]


def test_the_overload_of_an_operator_is_called(tmp_path: Path) -> None:
    call = "aten = torch.ops.aten\naten.mm(torch.rand(2, 3), torch.rand(4, 5))\n"
    for text in (call, call.replace("mm", "mm.default")):
        path, _ = lines_of(tmp_path, text)
        assert [one.code for one in check([path])] == ["shape-mismatch"]


def test_the_module_of_a_builtin_type(tmp_path: Path) -> None:
    program = """
    def f(x):
        kind = type(x)
        if kind.__module__ == "numpy" or kind.__name__ == "ndarray":
            return torch.as_tensor(x)
        {}

    f({{"a": 1}})
    """
    for statement, codes in (("pass", []), ("return torch.as_tensor(x)", ["wrong-call"])):
        path, _ = lines_of(tmp_path, program.format(statement))
        assert [one.code for one in check([path])] == codes
