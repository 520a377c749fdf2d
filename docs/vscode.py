"""A picture of VS Code with the extension: `python -m docs.vscode`, after `nox -s vscode_server`.

It is the VS Code that the tests of the extension open in a browser, with the program of the pictures of Neovim.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs.neovim import PROGRAM
from docs.png import with_texts
from docs.vscode_window import Window, served
from tests.harness.show.browser import started

IMAGE = Path(__file__).resolve().parent / "images" / "editor-vscode.png"
_SIZE = {"width": 1240, "height": 840}


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        file = home / "models" / "block.py"
        file.parent.mkdir()
        file.write_text(PROGRAM)
        (file.parent / "pyproject.toml").touch()
        with served(home / "vscode") as address, started() as browser:
            window = Window(browser, address, file, **_SIZE)
            window.underlined().first.wait_for()
            problems = window.problems()
            window.quick_fixes("return self.down(y)")
            image = window.page.screenshot()
    IMAGE.write_bytes(with_texts(image, {"Source": "shapecheck lsp, in VS Code", "Description": "\n".join(problems)}))


if __name__ == "__main__":
    main()
