"""Arguments of functions that no call passes: an annotation counts as what its name refers to."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

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
