"""Which classes are nn.Modules, seen through imports, aliases, re-exports and the project's own files."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.project.known_bases import is_module_class
from shapecheck.project.resolve import NameResolver
from shapecheck.project.scope import Class, File


def project(root: Path, files: dict[str, str]) -> NameResolver:
    paths = []
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
        paths.append(path)
    return NameResolver(paths, [root])


def class_of(file: File, name: str) -> Class:
    return next(cls for cls in file.classes if cls.qualname == name)


def verdict(root: Path, files: dict[str, str], where: str = "m.py", name: str = "Net") -> bool | None:
    found = project(root, files)
    file = found.load(root / where)
    assert file is not None
    return found.is_module(class_of(file, name))


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nclass Net(torch.nn.Module): pass",
        "import torch.nn\nclass Net(torch.nn.Module): pass",
        "import torch.nn as nn\nclass Net(nn.Module): pass",
        "from torch import nn\nclass Net(nn.Module): pass",
        "from torch.nn import Module as M\nclass Net(M): pass",
        "from torch.nn import *\nclass Net(Module): pass",
        "from torch.nn.modules.module import Module\nclass Net(Module): pass",
        "import torch\nnn = torch.nn\nclass Net(nn.Linear): pass",
        "from torch import nn\nBase = nn.Module\nclass Net(Base): pass",
        "from torch import nn\nclass A(nn.Conv2d): pass\nclass Net(A): pass",
        "from torch import nn\nclass Mixin: pass\nclass Net(Mixin, nn.Module): pass",
        "from typing import Generic, TypeVar\nfrom torch import nn\nT = TypeVar('T')\n"
        "class Net(nn.Module, Generic[T]): pass",
        "from typing import Generic, TypeVar\nfrom torch import nn\nT = TypeVar('T')\n"
        "class A(nn.Module, Generic[T]): pass\nclass Net(A[int]): pass",
        "import torch\nclass Net(torch.jit.ScriptModule): pass",
        "import pytorch_lightning as pl\nclass Net(pl.LightningModule): pass",
        "from transformers import PreTrainedModel\nclass Net(PreTrainedModel): pass",
        "from torch import nn\nclass Outer:\n    class Base(nn.Module): pass\nclass Net(Outer.Base): pass",
        "from torch import nn\ntry:\n    from apex import Thing as Base\nexcept ImportError:\n"
        "    class Base(nn.Module): pass\nclass Net(Base): pass",
    ],
)
def test_is_a_module(tmp_path: Path, source: str) -> None:
    assert verdict(tmp_path, {"m.py": source}) is True


@pytest.mark.parametrize(
    "source",
    [
        "class Net: pass",
        "class Net(object): pass",
        "import abc\nclass Net(abc.ABC): pass",
        "import torch\nclass Net(torch.autograd.Function): pass",
        "import torch\nclass Net(torch.nn.Parameter): pass",
        "from torch.utils.data import Dataset\nclass Net(Dataset): pass",
        "from typing import NamedTuple\nclass Net(NamedTuple): pass",
        "class Module: pass\nclass Net(Module): pass",
        "class nn:\n    class Module: pass\nclass Net(nn.Module): pass",
    ],
)
def test_is_no_module(tmp_path: Path, source: str) -> None:
    assert verdict(tmp_path, {"m.py": source}) is False


@pytest.mark.parametrize(
    "source",
    [
        "from somewhere import Base\nclass Net(Base): pass",
        "def make(): ...\nclass Net(make()): pass",
        "class Net(Net): pass",
        "a = b\nb = a\nclass Net(a): pass",
        "from m import Net\nclass Net(Net): pass",
    ],
)
def test_is_not_known(tmp_path: Path, source: str) -> None:
    assert verdict(tmp_path, {"m.py": source}) is None


@pytest.mark.parametrize(
    "statement",
    [
        "from pkg.base import Base",
        "from pkg import Base",
        "from .base import Base",
        "from . import Base",
        "from ..pkg.base import Base",
        "from .base import *",
        "import pkg.base\nBase = pkg.base.Base",
        "from . import base\nBase = base.Base",
        "from pkg.again import Renamed as Base",
    ],
)
def test_follows_the_projects_imports(tmp_path: Path, statement: str) -> None:
    files = {
        "pkg/__init__.py": "from .base import Base",
        "pkg/base.py": "from torch import nn\nclass Base(nn.Module): pass",
        "pkg/again.py": "from .base import Base as Renamed",
        "pkg/m.py": f"{statement}\nclass Net(Base): pass",
    }
    assert verdict(tmp_path, files, "pkg/m.py") is True


EXPORTS = {
    "a name of __all__": ("__all__ = ['_Base']\nclass _Base(nn.Module): pass", "_Base", True),
    "a tuple": ("__all__ = ('Base',)\nclass Base(nn.Module): pass", "Base", True),
    "a name that __all__ lacks": ("__all__ = ['Other']\nclass Base(nn.Module): pass", "Base", False),
    "no __all__": ("class Base(nn.Module): pass", "Base", True),
    "no __all__, a private name": ("class _Base(nn.Module): pass", "_Base", False),
    "__all__ that grows": ("__all__ = ['Other']\n__all__ += ['Base']\nclass Base(nn.Module): pass", "Base", True),
    "__all__ that a method extends": (
        "__all__ = ['Other']\n__all__.append('Base')\nclass Base(nn.Module): pass",
        "Base",
        True,
    ),
    "__all__ that is computed": ("__all__ = sorted(globals())\nclass Base(nn.Module): pass", "Base", True),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_a_star_import_takes_what_the_module_exports(tmp_path: Path, name: str) -> None:
    source, base, is_module = EXPORTS[name]
    files = {
        "pkg/__init__.py": "",
        "pkg/base.py": f"from torch import nn\n{source}",
        "pkg/m.py": f"from .base import *\nclass Net({base}): pass",
    }
    assert verdict(tmp_path, files, "pkg/m.py") is is_module


def test_a_star_import_leaves_other_names_to_the_one_before(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/base.py": "from torch import nn\nclass Base(nn.Module): pass",
        "pkg/later.py": "__all__ = ['other']\nBase = object\nother = 1",
        "pkg/m.py": "from .later import *\nfrom .base import *\nclass Net(Base): pass",
    }
    assert verdict(tmp_path, files, "pkg/m.py") is True


def test_a_script_finds_its_neighbour(tmp_path: Path) -> None:
    files = {
        "s/layers.py": "from torch import nn\nclass B(nn.Module): pass",
        "s/m.py": "from layers import B\nclass Net(B): pass",
    }
    assert verdict(tmp_path, files, "s/m.py") is True


def test_a_neighbour_does_not_hide_what_a_package_imports_absolutely(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/layers.py": "from torch import nn\nclass B(nn.Module): pass",
        "pkg/sub/__init__.py": "",
        "pkg/sub/m.py": "from pkg.layers import B\nclass Net(B): pass",
    }
    assert verdict(tmp_path, files, "pkg/sub/m.py") is True


def test_a_function_scope_looks_past_the_class_around_it(tmp_path: Path) -> None:
    source = """
        from torch import nn
        class Base: pass
        def build():
            from torch.nn import Module as Base
            class Net(Base): pass
    """
    assert verdict(tmp_path, {"m.py": source}, name="build.<locals>.Net") is True


def test_a_broken_import_is_not_known(tmp_path: Path) -> None:
    files = {"m.py": "from broken import Base\nclass Net(Base): pass", "broken.py": "class Base("}
    assert verdict(tmp_path, files) is None


def test_forgotten_trees_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapecheck.project.resolve._CACHED_TEXT", 1)
    found = project(
        tmp_path,
        {"b.py": "from torch import nn\nclass B(nn.Module): pass", "m.py": "from b import B\nclass Net(B): pass"},
    )
    for _ in range(2):
        found.trim()
        file = found.load(tmp_path / "m.py")
        assert file is not None
        assert found.is_module(class_of(file, "Net"))
    found.trim()
    assert tmp_path / "m.py" not in found._whole
    assert tmp_path / "b.py" not in found._skimmed


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("torch.nn.Module", True),
        ("torch.nn.Linear", True),
        ("torch.nn.modules.conv.Conv2d", True),
        ("torch.nn.parallel.DistributedDataParallel", True),
        ("torch.ao.nn.quantized.Linear", True),
        ("torch.nn.Parameter", False),
        ("torch.nn.functional.relu", False),
        ("torch.nn.utils.rnn.PackedSequence", False),
        ("torch.optim.Adam", False),
        ("builtins.object", False),
        ("collections.OrderedDict", False),
        ("mystery.Base", None),
    ],
)
def test_classes_of_other_packages(name: str, answer: bool | None) -> None:
    assert is_module_class(name) is answer


def test_the_table_of_torch_agrees_with_torch() -> None:
    nn = pytest.importorskip("torch.nn")
    for name, found in vars(nn).items():
        if isinstance(found, type):
            assert is_module_class(f"torch.nn.{name}") is issubclass(found, nn.Module), name
