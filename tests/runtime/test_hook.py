"""The import hook checks a package with no decorator in its source, and leaves the rest as it was."""

from __future__ import annotations

import importlib
import sys
import textwrap
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from shapecheck import ShapeError, install_import_hook
from shapecheck.runtime import source
from tests.runtime.support import refuses, t

FILES = {
    "hooked/__init__.py": "from hooked.net import Net\nfrom hooked import sub\n",
    "hooked/net.py": '''
        """The doc of the module."""
        from __future__ import annotations

        import functools
        from dataclasses import dataclass
        from typing import NamedTuple, no_type_check, overload

        import torch
        from jaxtyping import Float
        from torch import Tensor, nn

        registered = []

        def register(function):
            registered.append(function)
            return function

        @dataclass
        class Batch:
            x: Float[Tensor, "b d"]
            y: Float[Tensor, "b"]

        class Pair(NamedTuple):
            x: Float[Tensor, "b"]
            y: Float[Tensor, "b"]

        class Net(nn.Module):
            scale: int = 3

            def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                y: Float[Tensor, "b d"] = x * self.scale
                return y if len(x) < 9 else y.T

            def clone(self, x: Float[Tensor, "n n"]) -> Net:
                return self

            def me(self) -> Net:
                return self

            @property
            def weight(self) -> Float[Tensor, "n n"]:
                return torch.zeros(2, 3)

            @staticmethod
            def build(n: int) -> Net:
                return Net()

        def unannotated(x, y=1, *args, **kwargs):
            return x

        @register
        @functools.lru_cache(maxsize=None)
        def cached(n: int) -> Float[Tensor, "{n}"]:
            return torch.zeros(n if n < 5 else 1)

        @overload
        def over(x: int) -> int: ...
        @overload
        def over(x: str) -> str: ...
        def over(x):
            return x

        @no_type_check
        def exempt(x: Float[Tensor, "b"]):
            def inner(y: Float[Tensor, "b"]):
                return y
            return inner(x)

        def outer(n: int):
            def inner(x: Float[Tensor, "b b"]) -> int:
                return n
            return inner

        class numba:
            @staticmethod
            def njit(**options):
                return lambda function: function.__code__

        @numba.njit(cache=True)
        def compiled(x: int) -> int:
            return x

        def no_array(n: int) -> str:
            return n

        @dataclass
        class NoArray:
            n: int

        def loop(x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
            y: Float[Tensor, "b b"] = x
            return y
        ''',
    "hooked/sub/__init__.py": "from .deep import f\n",
    "hooked/sub/deep.py": """
        from jaxtyping import Float
        from torch import Tensor

        def f(x: Float[Tensor, "n n"]) -> None: ...
        """,
    "hooked_not/__init__.py": """
        from jaxtyping import Float
        from torch import Tensor

        def f(x: Float[Tensor, "n n"]) -> None: ...
        """,
}


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("SHAPECHECK", raising=False)
    with install_import_hook("hooked"):
        yield importlib.import_module("hooked.net")
    for name in [name for name in sys.modules if name.split(".")[0] in ("hooked", "hooked_not")]:
        del sys.modules[name]


def test_functions_methods_and_records_are_checked(net: Any) -> None:
    assert net.Net()(t(2, 3)).shape == (2, 3)
    assert refuses(net.Net(), t(2))
    assert refuses(net.Net(), t(9, 2))
    assert refuses(lambda: net.Net().weight)
    assert not refuses(net.Net.build, "x"), "there is no array in its annotations"
    assert refuses(net.Batch, t(2, 3), t(3))
    assert refuses(net.Pair, t(2), t(3))
    assert refuses(net.cached, "x")
    assert refuses(net.cached, 7)
    assert len(net.cached(3)) == 3
    assert refuses(net.outer(1), t(2, 3))
    assert refuses(net.loop, t(2))


def test_names_that_came_later_are_read_when_the_module_is_there(net: Any) -> None:
    assert "complete()" not in source(net.Net.clone)
    assert refuses(net.Net().clone, t(2, 3))
    assert isinstance(net.Net.build(1), net.Net)


def test_without_arrays_only_everything_is_checked(net: Any) -> None:
    assert net.no_array.__code__.co_filename == net.__file__
    assert not refuses(net.NoArray, "x")
    for name in [name for name in sys.modules if name.split(".")[0] == "hooked"]:
        del sys.modules[name]
    with install_import_hook("hooked", everything=True):
        again: Any = importlib.import_module("hooked.net")
    assert refuses(again.no_array, 3)
    assert refuses(again.NoArray, "x")
    assert refuses(again.Net.build, "x")
    assert again.Net().me()


def test_what_is_not_annotated_is_as_it_was(net: Any) -> None:
    assert net.unannotated.__code__.co_filename == net.__file__
    assert not hasattr(net.unannotated, "__wrapped__")
    assert net.over(3) == 3
    assert net.exempt(5) == 5
    assert net.compiled.co_filename == net.__file__
    assert net.registered == [net.cached]
    assert net.__doc__ == "The doc of the module."


def test_submodules_are_checked_and_other_packages_are_not(net: Any) -> None:
    deep = importlib.import_module("hooked.sub.deep")
    assert refuses(deep.f, t(2, 3))
    other = importlib.import_module("hooked_not")
    assert not refuses(other.f, t(2, 3))


def test_lines_in_tracebacks_are_those_of_the_file(net: Any) -> None:
    with pytest.raises(ShapeError) as raised:
        net.loop(t(2))
    lines = [frame.line for frame in traceback.extract_tb(raised.value.__traceback__) if frame.filename == net.__file__]
    assert lines == ['y: Float[Tensor, "b b"] = x']


def test_no_bytecode_of_the_changed_source_is_left(net: Any, tmp_path: Path) -> None:
    assert not list((tmp_path / "hooked").rglob("*.pyc"))


def test_after_uninstalling_nothing_more_is_checked(net: Any, tmp_path: Path) -> None:
    (tmp_path / "hooked_more.py").write_text((tmp_path / "hooked_not/__init__.py").read_text())
    hook = install_import_hook(["hooked_more"])
    hook.uninstall()
    assert not refuses(importlib.import_module("hooked_more").f, t(2, 3))


def test_who_comes_too_late_is_told(net: Any) -> None:
    with pytest.warns(UserWarning, match="hooked: already imported, so not checked; install the hook first"):
        install_import_hook("hooked").uninstall()


def test_switched_off_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAPECHECK", "0")
    before = list(sys.meta_path)
    install_import_hook("hooked_off")
    assert sys.meta_path == before


def test_a_syntax_error_is_the_users_own(net: Any, tmp_path: Path) -> None:
    (tmp_path / "hooked" / "broken.py").write_text("x = = 1\n")
    with pytest.raises(SyntaxError) as raised:
        importlib.import_module("hooked.broken")
    assert (raised.value.filename, raised.value.lineno) == (str(tmp_path / "hooked" / "broken.py"), 1)
