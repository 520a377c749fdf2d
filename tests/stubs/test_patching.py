"""From source and patch to stub, on small sources and on the installed torch."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path, PurePosixPath

import pytest

from shapecheck.stubs.patches import PATCHES, Patch
from shapecheck.stubs.patching import patched

SOURCE = """\
import a.functional as F
from .module import Module

class Base(Module):
    def __init__(self, size: int, flag: bool = False, depth=1) -> None:
        self.size = size
        self.depth = depth
        self.other = F.compute(size)

    def reset(self):
        self.count = None

class Pool(Base):
    def forward(self, input: Tensor):
        return F.pool(input, self.flag)

class Done(Base):
    def forward(self, input: Tensor) -> Tensor:
        return input
"""


def stub(patch: Patch, source: str = SOURCE) -> str:
    made = patched(source, patch)
    ast.parse(made)
    return made


def test_members_and_bases_are_replaced_and_the_rest_stays() -> None:
    change = "class Base(Module, Generic[T]):\n    size: T\n    def reset(self) -> T: ..."
    made = stub(Patch("T = TypeVar('T')", change))
    assert "class Base(Module, Generic[T]):" in made
    assert made.count("size: T\n") == made.count("def reset(self) -> T: ...") == made.count("def reset") == 1
    assert "def __init__(self, size: int, flag: bool=False, depth=1) -> None: ..." in made
    assert made.index("import") < made.index("T = TypeVar('T')") < made.index("class Base")


@pytest.mark.parametrize("bases", ["Generic[T]", "Other, Generic[T]", "Module, Other"])
def test_a_class_with_other_bases_than_meant_stays(bases: str) -> None:
    assert stub(Patch("", f"class Base({bases}):\n    size: T")) == stub(Patch(""))


def test_a_class_that_torch_lacks_is_passed_over() -> None:
    assert stub(Patch("", "class Gone(Module):\n    size: T")) == stub(Patch(""))


def test_attributes_set_in_methods_are_declared() -> None:
    made = stub(Patch(""))
    for line in ("size: int", "depth: int", "other: Any", "count: None"):
        assert f"    {line}\n" in made
    assert "import a.functional as F" in made


def test_a_flag_overloads_the_constructor() -> None:
    made = stub(Patch("", flag="flag"))
    assert "class Pool(Base, Generic[_R_co]):\n    @overload\n" in made
    for line in (
        "self: Pool[Tensor], size: int, flag: Literal[False]=False, depth=1",
        "self: Pool[tuple[Tensor, Tensor]], size: int, *, flag: Literal[True], depth=1",
        "self: Pool[Any], size: int, flag: bool=False, depth=1",
    ):
        assert f"    def __init__({line}) -> None: ...\n" in made
    assert "    def forward(self, input: Tensor) -> _R_co: ...\n" in made
    assert "class Done(Base):\n    def forward(self, input: Tensor) -> Tensor: ...\n" in made


def test_a_flag_that_is_not_there_changes_nothing() -> None:
    assert stub(Patch("", flag="return_indices")) == stub(Patch(""))


@pytest.mark.parametrize("name", PATCHES, ids=str)
def test_every_patch_applies_to_the_installed_torch(name: PurePosixPath) -> None:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    source = (Path(spec.origin).parent / name).read_text(encoding="utf-8")
    patch = PATCHES[name]
    made = {cls.name: cls for cls in ast.parse(stub(patch, source)).body if isinstance(cls, ast.ClassDef)}
    for change in ast.parse(patch.classes).body:
        assert isinstance(change, ast.ClassDef)
        assert [ast.unparse(base) for base in made[change.name].bases] == [ast.unparse(base) for base in change.bases]
        assert {ast.unparse(member) for member in change.body} <= {ast.unparse(m) for m in made[change.name].body}
    if patch.flag:
        assert [name for name in made if "MaxPool" in name and not name.startswith("_")] == [
            name for name, cls in made.items() if "Generic[_R_co]" in map(ast.unparse, cls.bases)
        ]
