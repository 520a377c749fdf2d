from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shapecheck.harness.cases.targets import Search, TargetError, find_targets
from shapecheck.project.ignore import rules_from_patterns

_MODEL = "class Net:\n    def forward(self): ...\n"
FILES = {
    "models/gpt.py": _MODEL,
    "models/notes.txt": "",
    "models/script.py": "print('this file must not be imported')\n",
    "models/factory.py": "import shapecheck\n",
    "src/pkg/__init__.py": _MODEL,
    "src/pkg/nets/__init__.py": "",
    "src/pkg/nets/vit.py": _MODEL,
    "src/pkg/plain.py": "x = 1\n",
    "space/inner/net.py": _MODEL,
    "space/inner/head.py": f"from . import net\n{_MODEL}",
    "space/no-name/head.py": f"from . import net\n{_MODEL}",
    ".gitignore": "/models/generated/\n",
    ".git/HEAD": "",
    "models/generated/out.py": _MODEL,
    "models/vendored/theirs.py": _MODEL,
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _found(*named: str) -> list[str]:
    """`module` in `root`, with the class where there is one."""
    search = Search(rules_from_patterns(Path.cwd(), ["vendored/"]))
    return [
        f"{target.module}{target.only and ':' + target.only}{target.label and '[' + target.label + ']'}"
        f" in {target.root.relative_to(Path.cwd())}"
        for target in find_targets(named, search)
    ]


FOUND = {
    "models": ["factory in models", "gpt in models"],
    "models/": ["factory in models", "gpt in models"],
    "models/gpt.py": ["gpt in models"],
    "models/script.py": ["script in models"],
    "models/gpt.py:Net": ["gpt:Net in models"],
    "models/gpt.py:Net[small]": ["gpt:Net[small] in models"],
    "models/generated/out.py": ["out in models/generated"],
    "src/pkg/nets/vit.py": ["pkg.nets.vit in src"],
    "src/pkg": ["pkg in src", "pkg.nets.vit in src"],
    "pkg": ["pkg in src", "pkg.nets.vit in src"],
    "pkg.nets": ["pkg.nets.vit in src"],
    "pkg.nets.vit": ["pkg.nets.vit in src"],
    "pkg.nets.vit:Net": ["pkg.nets.vit:Net in src"],
    "pkg:Net": ["pkg:Net in src"],
    "space.inner": ["space.inner.head in .", "space.inner.net in ."],
    "space/inner": ["space.inner.head in .", "net in space/inner"],
    "space/inner/head.py:Net": ["space.inner.head:Net in ."],
    "space/no-name/head.py": ["head in space/no-name"],
}


@pytest.mark.parametrize("named", FOUND)
def test_what_can_be_named(named: str) -> None:
    assert _found(named) == FOUND[named]


def test_a_module_of_the_environment_is_found_and_not_imported() -> None:
    found = find_targets(["json.decoder"], Search())
    assert [target.module for target in found] == ["json.decoder"]
    assert find_targets(["this"], Search())[0].file.name == "this.py"
    assert "this" not in sys.modules


def test_a_file_is_taken_once_and_its_classes_with_it() -> None:
    assert _found("models/gpt.py", "models/gpt.py:Net", "models/gpt.py") == ["gpt in models"]
    assert _found("pkg.nets.vit:Net", "pkg.nets.vit:Other") == ["pkg.nets.vit:Net in src", "pkg.nets.vit:Other in src"]


NOT_FOUND = {
    "modles": 'modles: no such module, file or directory; did you mean "models"?',
    "modles/": 'modles/: no such file or directory; did you mean "models"?',
    "models/gtp.py": 'models/gtp.py: no such file or directory; did you mean "models/gpt.py"?',
    "models/gtp.py:Net": 'models/gtp.py: no such file or directory; did you mean "models/gpt.py"?',
    "models/notes.txt": "models/notes.txt: not a Python file",
    "models:Net": "models:Net: models is a directory; name the file or module of the class",
    "pkg.nets.vti": 'pkg.nets.vti: no such module, file or directory; did you mean "pkg.nets.vit"?',
    "pkg.nest.vit": 'pkg.nest.vit: no such module, file or directory; did you mean "pkg.nets.vit"?',
    "nowhere.at.all": "nowhere.at.all: no such module, file or directory",
    "a b": "a b: no such file or directory",
    "": ": no such file or directory",
}


@pytest.mark.parametrize("named", NOT_FOUND)
def test_what_is_not_there_is_one_line(named: str) -> None:
    with pytest.raises(TargetError) as caught:
        _found(named)
    assert str(caught.value) == NOT_FOUND[named]
