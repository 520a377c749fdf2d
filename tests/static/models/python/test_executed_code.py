"""`exec` may rebind the variables around it, unless it gets namespaces of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = "import torch\nsettings = open('settings.py').read()\nsize = 12\n"
SUM = "torch.zeros(size) + torch.zeros(13)\n"

REPORTED = {
    "code with a namespace of its own": f"exec(settings, {{}})\n{SUM}",
    "a variable that is bound afterwards": f"exec(settings)\nsize = 12\n{SUM}",
}
SILENT = {
    "a variable of the module": f"exec(settings)\n{SUM}",
    "a variable that a function reads": f"exec(settings)\n\n\ndef f():\n    {SUM}\n\nf()\n",
    "a variable computed from it": f"exec(settings)\nsize = size * 2\n{SUM}",
    "code that a function executes": f"def f():\n    exec(settings, globals())\n    {SUM}\n\nf()\n",
}


@pytest.mark.parametrize("name", [*REPORTED, *SILENT])
def test_what_executed_code_may_rebind_is_unknown(tmp_path: Path, name: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + (REPORTED | SILENT)[name])
    assert [one.code for one in check([path])] == (["shape-mismatch"] if name in REPORTED else [])
