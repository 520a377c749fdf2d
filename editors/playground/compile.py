"""Runs in Pyodide: compiles the packages of /wheel that the page needs, and writes them into /shapecheck.zip."""

import py_compile
import sys
import zipfile
from pathlib import Path

WHEEL = Path("/wheel")
sys.path.insert(0, str(WHEEL))
sys.dont_write_bytecode = True

from shapecheck.playground import Playground  # noqa: E402 - from the wheel

Playground(Path("/model.py")).answer("import torch\n")  # imports what it needs
parts = {name.split(".")[1] for name in sys.modules if name.startswith("shapecheck.")}
package = WHEEL / "shapecheck"
files = [package / "__init__.py"]
for part in sorted(parts):
    folder = package / part
    files += sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
with zipfile.ZipFile("/shapecheck.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for file in files:
        name = file.relative_to(WHEEL).with_suffix(".pyc")
        compiled = py_compile.compile(
            str(file),
            "/one.pyc",
            str(name),
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        archive.writestr(zipfile.ZipInfo(str(name)), Path(compiled).read_bytes(), zipfile.ZIP_DEFLATED)
    for page in sorted((package / "diagnostics/pages").glob("*.md")):  # they declare the codes
        archive.writestr(zipfile.ZipInfo(str(page.relative_to(WHEEL))), page.read_bytes(), zipfile.ZIP_DEFLATED)
