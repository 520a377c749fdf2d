"""How the primer gets source: from an index and a repository on this machine, without executing any of it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.primer.errors import FetchError, Unreachable
from benchmarks.primer.fetching import Fetcher, default_directory, is_inside_repository
from benchmarks.primer.packages import Archive, Repository
from tests.benchmarks.package_index import Index, sdist, served, sha256, wheel
from tests.benchmarks.tiny_repository import git

SDIST, WHEEL = "small_package-1.2.tar.gz", "small_package-1.2-py3-none-any.whl"
BUILD = "import pathlib\n\npathlib.Path(__file__).with_name('executed').touch()\n"
FILES = {
    "small_package-1.2/small_package/model.py": "one\n",
    "small_package-1.2/pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "setup"\n',
    "small_package-1.2/setup.py": BUILD,
    "small_package-1.2/weights.bin": "0",
}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    with served() as running:
        monkeypatch.setenv("PIP_INDEX_URL", running.url)
        yield running


def package(content: bytes, file: str = SDIST) -> Archive:
    return Archive(name="Small.package", version="1.2", field="vision", file=file, sha256=sha256(content))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.mark.parametrize("html", [False, True])
def test_an_sdist_is_its_python_files_without_the_directory_around_them(
    index: Index, tmp_path: Path, html: bool
) -> None:
    content = sdist(FILES)
    index.add("small-package", {SDIST: content}, html=html)
    folder = Fetcher(tmp_path).fetched(package(content))
    assert files(folder) == {"small_package/model.py", "pyproject.toml", "setup.py"}
    assert (folder / "small_package/model.py").read_text() == "one\n"
    assert folder.parent == tmp_path
    assert folder.name.startswith("Small.package-1.2-")


def test_a_wheel_is_its_python_files(index: Index, tmp_path: Path) -> None:
    content = wheel({"model.py": "one\n", "model.pyi": "one\n", "model.so": "0"})
    index.add("small-package", {WHEEL: content})
    assert files(Fetcher(tmp_path).fetched(package(content, WHEEL))) == {"model.py", "model.pyi"}


def test_a_package_is_fetched_once_and_another_file_of_its_version_again(index: Index, tmp_path: Path) -> None:
    source, built = sdist(FILES), wheel({"model.py": "one\n"})
    index.add("small-package", {SDIST: source, WHEEL: built})
    fetcher = Fetcher(tmp_path)
    first = fetcher.fetched(package(source))
    asked = len(index.asked)
    assert fetcher.fetched(package(source)) == first
    assert len(index.asked) == asked
    assert fetcher.fetched(package(built, WHEEL)) != first


def test_another_content_is_refused_and_leaves_nothing_behind(index: Index, tmp_path: Path) -> None:
    index.add("small-package", {SDIST: sdist({"a/b.py": "two\n"})})
    with pytest.raises(FetchError, match=f"expected {SDIST} with sha256 [0-9a-f]{{64}}, got [0-9a-f]{{64}}") as caught:
        Fetcher(tmp_path).fetched(package(sdist(FILES)))
    assert not isinstance(caught.value, Unreachable)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (SDIST, sdist({"a/../../evil.py": "x"})),
        (SDIST, sdist({"/evil.py": "x"})),
        (SDIST, sdist({"a/b.py": "x"}, {"a/evil.py": "../../evil.py"})),
        (SDIST, sdist({"a/b.py": "x"}, {"a/evil.py": "/evil.py"})),
        (WHEEL, wheel({"../evil.py": "x"})),
        (WHEEL, wheel({"/evil.py": "x"})),
        (SDIST, b"no archive"),
        (WHEEL, b"no archive"),
        (SDIST, sdist(FILES)[:200]),
    ],
    ids=["up", "absolute", "link up", "absolute link", "wheel up", "absolute in wheel", "tar", "zip", "cut off"],
)
def test_an_archive_that_leads_out_of_itself_or_is_none_is_refused(
    index: Index, tmp_path: Path, file: str, content: bytes
) -> None:
    index.add("small-package", {file: content})
    directory = tmp_path / "a" / "b"
    with pytest.raises(FetchError, match=r"archive|extract"):
        Fetcher(directory).fetched(package(content, file))
    assert files(tmp_path) == set()


def test_a_link_between_files_of_an_archive_is_kept(index: Index, tmp_path: Path) -> None:
    content = sdist({"a/b.py": "one\n", "a/c.txt": ""}, {"a/d/e.py": "../b.py", "a/f": "c.txt"})
    index.add("small-package", {SDIST: content})
    folder = Fetcher(tmp_path).fetched(package(content))
    assert files(folder) == {"b.py", "d/e.py"}
    assert (folder / "d/e.py").read_text() == "one\n"


def test_a_file_or_project_that_the_index_lacks(index: Index, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"127\.0\.0\.1 answered with status 404"):
        Fetcher(tmp_path).fetched(package(b""))
    index.add("small-package", {WHEEL: b""})
    with pytest.raises(FetchError, match=f"the package index has no {SDIST}"):
        Fetcher(tmp_path).fetched(package(b""))


def test_an_index_that_does_not_answer_is_asked_once(index: Index, tmp_path: Path) -> None:
    index.add("small-package", {SDIST: b""})
    index.status = 503
    fetcher = Fetcher(tmp_path)
    with pytest.raises(Unreachable, match=r"cannot reach 127\.0\.0\.1: status 503"):
        fetcher.fetched(package(b""))
    asked = len(index.asked)
    with pytest.raises(Unreachable, match="cannot reach the package index, as before"):
        fetcher.fetched(package(b"other"))
    assert len(index.asked) == asked


def test_no_index_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as gone:
        monkeypatch.setenv("PIP_INDEX_URL", gone.url)
    with pytest.raises(Unreachable, match=r"cannot reach 127\.0\.0\.1"):
        Fetcher(tmp_path).fetched(package(b""))


def test_credentials_go_to_the_index_only(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = sdist(FILES)
    with served() as other:
        other.add("small-package", {SDIST: content})
        link = f'<a href="http://127.0.0.1:{other.port}/files/{SDIST}">{SDIST}</a>'
        index.pages["/simple/small-package/"] = ("text/html", link.encode())
        monkeypatch.setenv("PIP_INDEX_URL", index.url.replace("://", "://me:secret@"))
        Fetcher(tmp_path).fetched(package(content))
    header = f"Basic {base64.b64encode(b'me:secret').decode()}"
    assert index.asked == [("/simple/small-package/", header)]
    assert other.asked == [(f"/files/{SDIST}", None)]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A local repository that stands for a public one."""
    origin = tmp_path / "origin"
    for name, text in {"recipes/train.py": "one\n", ".gitattributes": "recipes export-ignore\n", "a.bin": ""}.items():
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        (origin / name).write_text(text)
    git(origin, "init", "--quiet")
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "-m", "first")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{origin.as_uri()}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://example.org/owner/name")
    commit = git(origin, "rev-parse", "HEAD")
    return Repository(name="name", field="audio", repository="https://example.org/owner/name", commit=commit)


def test_a_commit_of_a_repository(repository: Repository, tmp_path: Path) -> None:
    folder = Fetcher(tmp_path / "packages").fetched(repository)
    assert folder.name == f"name-{repository.commit[:12]}"
    assert files(folder) == {"recipes/train.py"}, "also what the repository leaves out of its own archives"


def test_a_commit_that_the_repository_lacks(repository: Repository, tmp_path: Path) -> None:
    lacking = Repository(name="name", field="audio", repository=repository.repository, commit="0" * 40)
    with pytest.raises(FetchError, match="git: ") as caught:
        Fetcher(tmp_path / "packages").fetched(lacking)
    assert not isinstance(caught.value, Unreachable)
    assert not [*(tmp_path / "packages").iterdir()]


def test_a_repository_that_does_not_answer(tmp_path: Path) -> None:
    with served() as gone:
        address = f"http://127.0.0.1:{gone.port}/owner/name"
    with pytest.raises(Unreachable, match="unable to access"):
        Fetcher(tmp_path).fetched(Repository(name="name", field="audio", repository=address, commit="0" * 40))


def test_packages_are_kept_in_the_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "shapecheck" / "primer"
    assert is_inside_repository(measure.ROOT / "packages")
    assert not is_inside_repository(tmp_path)
