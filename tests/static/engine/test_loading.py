"""Which file an import means, and what is said of files that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from shapecheck.project.ignore import rules_from_patterns
from shapecheck.static.engine.loading import Project, SourceModule


def tree(root: Path, *names: str, **texts: str) -> Path:
    """Empty files at `names`; `a__b=text` is the file `a/b.py`."""
    for name, text in [*((name, "") for name in names), *((k.replace("__", "/") + ".py", v) for k, v in texts.items())]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return root


def loaded(project: Project, path: Path) -> SourceModule:
    found = project.load(path)
    assert found is not None
    return found


def target(root: Path, dotted: str, importer: str, level: int = 0, paths: tuple[str, ...] = ("",)) -> str | None:
    """Where an import leads, relative to `root`."""
    project = Project([root / path for path in paths])
    found = project.resolve(dotted, loaded(project, root / importer), level)
    return found.path.relative_to(root).as_posix() if found else None


def test_a_file_is_parsed_once_and_knows_its_name(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/__init__.py", pkg__net="class Net: pass\n")
    project = Project([tmp_path])
    assert project.files == [tmp_path / "pkg/__init__.py", tmp_path / "pkg/net.py"]
    net = loaded(project, tmp_path / "pkg/net.py")
    assert (net.path, net.name, net.is_package) == (tmp_path / "pkg/net.py", "pkg.net", False)
    assert net.text == net.source.text == "class Net: pass\n"
    assert net is project.load(tmp_path / "pkg/../pkg/net.py")
    package = loaded(project, tmp_path / "pkg/__init__.py")
    assert (package.name, package.is_package) == ("pkg", True)
    assert project.resolve("pkg.net", package) is net
    assert not project.problems


@pytest.mark.parametrize(
    ("file", "given", "name"),
    [
        ("src/pkg/net.py", "", "pkg.net"),
        ("pkg/net.py", "pkg", "pkg.net"),
        ("pkg/net.py", "pkg/net.py", "pkg.net"),
        ("models/net.py", "", "models.net"),
        ("models/net.py", "models", "net"),
        ("my-scripts/net.py", "", "net"),
    ],
)
def test_names_are_those_that_importers_use(tmp_path: Path, file: str, given: str, name: str) -> None:
    tree(tmp_path, "src/pkg/__init__.py", "pkg/__init__.py", file)
    assert loaded(Project([tmp_path / given]), tmp_path / file).name == name


@pytest.mark.parametrize(
    ("dotted", "importer", "level", "expected"),
    [
        ("pkg", "train.py", 0, "pkg/__init__.py"),
        ("pkg.net", "train.py", 0, "pkg/net.py"),
        ("pkg.sub", "pkg/net.py", 0, "pkg/sub/__init__.py"),
        ("", "pkg/net.py", 1, "pkg/__init__.py"),
        ("sub.deep", "pkg/net.py", 1, "pkg/sub/deep.py"),
        ("net", "pkg/sub/deep.py", 2, "pkg/net.py"),
        ("deep", "pkg/sub/__init__.py", 1, "pkg/sub/deep.py"),
        ("net", "pkg/sub/__init__.py", 2, "pkg/net.py"),
        ("plain.util", "train.py", 0, "plain/util.py"),
        ("both", "train.py", 0, "both/__init__.py"),
        ("lib.core", "train.py", 0, "src/lib/core.py"),
        ("util", "plain/other.py", 0, "plain/util.py"),
        ("plain", "train.py", 0, None),
        ("pkg.missing", "train.py", 0, None),
        ("missing", "pkg/net.py", 1, None),
        ("secret", "pkg/net.py", 3, None),
        ("secret", "pkg/net.py", 99, None),
        ("", "train.py", 0, None),
    ],
)
def test_imports_lead_to_files(tmp_path: Path, dotted: str, importer: str, level: int, expected: str | None) -> None:
    tree(tmp_path, "secret.py")
    names = "train.py pkg/net.py pkg/sub/__init__.py pkg/sub/deep.py plain/util.py plain/other.py both.py"
    packages = "pkg/__init__.py both/__init__.py src/lib/__init__.py src/lib/core.py"
    root = tree(tmp_path / "project", *names.split(), *packages.split())
    assert target(root, dotted, importer, level) == expected


def test_a_file_alone_finds_its_package_and_its_neighbours(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/__init__.py", "pkg/net.py", "pkg/other.py", "script.py", "helper.py")
    assert target(tmp_path, "pkg.other", "pkg/net.py", paths=("pkg/net.py",)) == "pkg/other.py"
    assert target(tmp_path, "helper", "script.py", paths=("script.py",)) == "helper.py"
    assert target(tmp_path, "other", "pkg/net.py", paths=("pkg/net.py",)) == "pkg/other.py"


def test_tests_find_the_package_they_are_given_with(tmp_path: Path) -> None:
    tree(tmp_path, "src/pkg/__init__.py", "src/pkg/net.py", "tests/test_net.py")
    assert target(tmp_path, "pkg.net", "tests/test_net.py", paths=("tests",)) is None
    assert target(tmp_path, "pkg.net", "tests/test_net.py", paths=("tests", "src/pkg")) == "src/pkg/net.py"
    project = Project([tmp_path / "tests"], roots=[tmp_path])
    found = project.resolve("pkg.net", loaded(project, tmp_path / "tests/test_net.py"))
    assert found is not None
    assert found.name == "pkg.net"


@pytest.mark.parametrize("name", ["torch", "torch.nn", "numpy", "math", "einops", "typing", "lightning"])
def test_the_outside_stays_outside(tmp_path: Path, name: str) -> None:
    tree(tmp_path, "torch/__init__.py", "torch/nn.py", "math.py", "einops.py", "train.py", "numpy.py", "typing.py")
    assert target(tmp_path, name, "train.py") is None


def test_only_a_relative_import_reaches_a_neighbour_with_a_name_from_outside(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/__init__.py", "pkg/torch.py", "pkg/net.py")
    assert target(tmp_path, "torch", "pkg/net.py", 1) == "pkg/torch.py"
    assert target(tmp_path, "torch", "pkg/net.py") is None


@pytest.mark.parametrize("given", ["", "pkg"])
def test_in_a_package_with_relative_imports_a_neighbour_is_no_top_level_module(tmp_path: Path, given: str) -> None:
    tree(tmp_path, "pkg/__init__.py", "pkg/timm.py", "pkg/net.py", pkg__rel="from . import net\nimport timm\n")
    assert target(tmp_path, "timm", "pkg/rel.py", paths=(given,)) is None
    assert target(tmp_path, "timm", "pkg/__init__.py", paths=(given,)) is None
    assert target(tmp_path, "timm", "pkg/net.py", paths=(given,)) == "pkg/timm.py"


def test_a_module_does_not_import_itself(tmp_path: Path) -> None:
    tree(tmp_path, "timm.py")
    assert target(tmp_path, "timm", "timm.py") is None


def test_beside_an_installed_package_lie_others(tmp_path: Path) -> None:
    tree(tmp_path, *(f"site-packages/{name}.py" for name in ["ours/__init__", "ours/net", "theirs/__init__", "one"]))
    where = ("site-packages/ours",)
    assert target(tmp_path, "ours.net", "site-packages/ours/__init__.py", paths=where) == "site-packages/ours/net.py"
    assert target(tmp_path, "theirs", "site-packages/ours/net.py", paths=where) is None
    assert target(tmp_path, "one", "site-packages/ours/net.py", paths=where) is None


def test_what_is_excluded_is_not_checked_and_yet_imported(tmp_path: Path) -> None:
    tree(tmp_path, "train.py", made="def broken(:\n", out="x = 1\n")
    (tmp_path / ".gitignore").write_text("made.py\n")
    project = Project([tmp_path], rules_from_patterns(tmp_path, ["out.py"]))
    assert project.files == [tmp_path / "train.py"]
    train = loaded(project, tmp_path / "train.py")
    assert project.resolve("out", train) is not None
    assert project.resolve("made", train) is None
    assert not project.problems, "a file that nobody asked about is not reported"
    assert Project([tmp_path], respect_gitignore=False).files[0].name == "made.py"


@pytest.mark.parametrize(
    ("content", "code", "line", "message"),
    [
        (b"x = 1\ndef broken(:\n", "syntax-error", 2, "cannot parse: "),
        (b"x = '\0'\n", "syntax-error", 1, "cannot parse: "),
        (b"x = " + b"-" * 20_000 + b"1\n", "syntax-error", 1, "cannot parse: "),
        (b"# coding: nonsense\n", "unreadable-file", 1, "cannot decode: "),
        (b"x = '\xff'\n", "unreadable-file", 1, "cannot decode: "),
    ],
)
def test_a_problem_is_kept_once(tmp_path: Path, content: bytes, code: str, line: int, message: str) -> None:
    (tmp_path / "bad.py").write_bytes(content)
    tree(tmp_path, "train.py")
    project = Project([tmp_path])
    train = loaded(project, tmp_path / "train.py")
    assert project.load(tmp_path / "bad.py") is project.load(tmp_path / "bad.py") is project.resolve("bad", train)
    (problem,) = project.problems
    assert (problem.code, problem.line) == (code, line)
    assert problem.message.startswith(message)


def test_a_missing_path_is_a_problem(tmp_path: Path) -> None:
    project = Project([tmp_path / "missing.py"])
    assert [(p.code, p.message) for p in project.problems] == [("unreadable-file", "no such file or directory")]
    assert project.load(tmp_path / "missing.py") is None
    assert len(project.problems) == 1


def test_a_file_that_went_away_is_a_problem(tmp_path: Path) -> None:
    tree(tmp_path, "gone.py")
    project = Project([tmp_path])
    (tmp_path / "gone.py").unlink()
    assert project.load(tmp_path / "gone.py") is None
    assert [p.message for p in project.problems] == ["cannot read: no such file or directory"]


@pytest.mark.skipif(os.name == "nt", reason="Windows asks for a privilege to make symbolic links")
def test_links(tmp_path: Path) -> None:
    tree(tmp_path / "elsewhere", "other.py")
    root = tree(tmp_path / "project", "pkg/__init__.py", "pkg/net.py", "train.py")
    (root / "pkg/loop").symlink_to(root / "pkg", target_is_directory=True)
    (root / "pkg/again.py").symlink_to(root / "pkg/net.py")
    (root / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    project = Project([root])
    assert len(project.files) == 3
    train = loaded(project, root / "train.py")
    assert project.resolve("linked.other", train) is None, "it lies outside"
    net = project.resolve("pkg.loop.loop.again", train)
    assert net is not None
    assert net is project.resolve("pkg.net", train)
    assert (net.path, net.name) == (root / "pkg/net.py", "pkg.net")


@pytest.mark.skipif(os.name == "nt", reason="Windows asks for a privilege to make symbolic links")
def test_a_project_reached_through_a_link(tmp_path: Path) -> None:
    tree(tmp_path / "real", "pkg/__init__.py", "pkg/net.py")
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    project = Project([tmp_path / "link"])
    package = loaded(project, tmp_path / "link/pkg/__init__.py")
    found = project.resolve("net", package, 1)
    assert found is not None
    assert (found.path, found.name) == (tmp_path / "link/pkg/net.py", "pkg.net")


def test_nothing_is_executed(tmp_path: Path) -> None:
    tree(tmp_path, pkg____init__="raise SystemExit\n", pkg__net="import pathlib\npathlib.Path('ran').touch()\n")
    tree(tmp_path, "train.py")
    assert target(tmp_path, "pkg.net", "train.py") == "pkg/net.py"
    assert not Path("ran").exists()
