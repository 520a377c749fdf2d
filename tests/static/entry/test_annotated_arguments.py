"""Arguments of functions that no call passes: an annotation counts as what its name refers to."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import Severity
from shapecheck.static import check

TYPES = """
from typing import Any, Union

import numpy as np
import torch

Array = torch.Tensor
Tensor = Union[np.ndarray, Any]
"""
NOT_OF_TORCH = {
    "a type of the project": "from types_ import Tensor",
    "a type variable": "from typing import TypeVar\nTensor = TypeVar('Tensor')",
    "a class": "class Tensor:\n    pass",
    "another library": "from tensorflow import Tensor",
    "another library's module": "import tensorflow as torch",
    "an attribute of a module of the project": "import types_ as torch",
    "a type that is imported for annotations only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
    "    from tensorflow import Tensor",
}
OF_TORCH = {
    "from torch": ("from torch import Tensor", "Tensor"),
    "the module": ("import torch", "torch.Tensor"),
    "another name": ("from torch import Tensor as T", "T"),
    "an alias of the project": ("from types_ import Array", "Array"),
    "a module of the project": ("import types_", "types_.torch.Tensor"),
    "a quoted name": ("from torch import Tensor", "'Tensor'"),
    "an import for annotations only": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from torch import Tensor",
        "'Tensor'",
    ),
}


def _findings(folder: Path, imports: str, annotation: str) -> list[str]:
    (folder / "types_.py").write_text(TYPES)
    path = folder / "program.py"
    body = f"""
        def inverted(x: {annotation}):
            mask = x > 0
            return 1 - mask
        """
    path.write_text(imports + "\n" + textwrap.dedent(body))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", NOT_OF_TORCH)
def test_a_name_of_something_else_is_no_tensor(name: str, tmp_path: Path) -> None:
    imports = NOT_OF_TORCH[name]
    quoted = "'Tensor'" if "TYPE_CHECKING" in imports else "Tensor"
    annotation = "torch.Tensor" if "torch" in imports.split() else quoted
    assert _findings(tmp_path, imports, annotation) == []


@pytest.mark.parametrize("name", OF_TORCH)
def test_a_name_of_torch_is_a_tensor(name: str, tmp_path: Path) -> None:
    assert _findings(tmp_path, *OF_TORCH[name]) == ["dtype-mismatch"]


COUNTS = {
    "names": "def loss(batch: Tuple[Tensor, Tensor]):\n    x, y, z = batch\n    return x + y + z",
    "an optional argument": "def loss(batch: Optional[Tuple[Tensor, Tensor]] = None):\n"
    "    x, y, z = batch\n    return x",
    "a size": "def resized(x: Tensor, size: Tuple[int, int]):\n    return F.interpolate(x, size, mode='trilinear')",
    "a kernel": "def conv(size: Tuple[int, int]):\n    return nn.Conv3d(3, 4, size)(torch.zeros(1, 3, 8, 8, 8))",
    "a method": "class Net(nn.Module):\n    def forward(self, x, hidden: Tuple[Tensor, Tensor]):\n"
    "        h, c, n = hidden\n        return x + h",
}
WRONG_BODIES = {
    "items": "def loss(batch: Tuple[Tensor, Tensor]):\n    x, y = batch\n    return x.view(2, 3) @ y.view(4, 5)",
    "a size": "def grid(size: Tuple[int, int]):\n    h, w = size\n    return torch.zeros(h, 3) @ torch.zeros(4, w)",
}
IMPORTS = (
    "from typing import Optional, Tuple\nimport torch\nimport torch.nn.functional as F\nfrom torch import Tensor, nn\n"
)


@pytest.mark.parametrize("name", COUNTS)
def test_a_plain_annotation_proves_no_number_of_items(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(IMPORTS + COUNTS[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", WRONG_BODIES)
def test_the_items_of_a_plain_annotation_are_checked(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(IMPORTS + WRONG_BODIES[name])
    assert [(one.code, one.severity) for one in check([path])] == [("shape-mismatch", Severity.ERROR)]
