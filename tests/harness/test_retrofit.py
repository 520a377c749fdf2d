"""Modules that were imported unchecked are checked for a while, and then are as they were."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
import torch

from shapecheck import ShapeError, install_import_hook
from shapecheck.harness.retrofit import checks_installed

OPS = """\
import functools
from dataclasses import dataclass
from typing import no_type_check
from jaxtyping import Float
from torch import Tensor, no_grad


def same(x: Float[Tensor, "n n"]) -> Tensor:
    return x


@no_type_check
def exempt(x: Float[Tensor, "n n"]) -> Tensor:
    return x


def plain(x: Tensor) -> Tensor:
    return x


class Layer:
    def method(self, x: Float[Tensor, "n n"]) -> Tensor:
        return x

    @functools.cache
    def cached(self) -> int:
        return 1
"""
NET = "from latepkg.ops import same as alias\nfrom latepkg.ops import Layer\nfrom torch import nn\n"
WRONG = torch.ones(2, 3)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ModuleType]]:
    folder = tmp_path / "latepkg"
    folder.mkdir()
    for name, text in (("__init__", ""), ("ops", OPS), ("net", NET)):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("latepkg.ops"), importlib.import_module("latepkg.net")
    for name in [name for name in sys.modules if name.partition(".")[0] == "latepkg"]:
        del sys.modules[name]


def accepted(places: dict[str, tuple[object, str]]) -> set[str]:
    """The places whose function takes what breaks its annotation."""
    found = set()
    for words, (holder, name) in places.items():
        with suppress(ShapeError):
            getattr(holder, name)(WRONG)
            found.add(words)
    return found


def test_functions_and_methods_are_checked_under_every_name(package: tuple[ModuleType, ModuleType]) -> None:
    ops, net = package
    places = {
        "function": (ops, "same"),
        "under another name": (net, "alias"),
        "method": (ops.Layer(), "method"),
        "exempt": (ops, "exempt"),
        "without arrays": (ops, "plain"),
    }
    assert accepted(places) == set(places)
    with checks_installed({"latepkg"}):
        assert accepted(places) == {"exempt", "without arrays"}
    assert accepted(places) == set(places)


def test_everything_is_the_same_object_afterwards(package: tuple[ModuleType, ModuleType]) -> None:
    before = [dict(vars(holder)) for holder in (*package, package[0].Layer)]
    with pytest.raises(KeyError), checks_installed({"latepkg"}):
        raise KeyError
    after = [dict(vars(holder)) for holder in (*package, package[0].Layer)]
    assert after == before


def test_what_the_hook_has_seen_and_other_packages_are_left_alone(package: tuple[ModuleType, ModuleType]) -> None:
    before = package[0].same
    with checks_installed({"late"}):
        assert package[0].same is before
    for name in ("latepkg.ops", "latepkg.net", "latepkg"):
        del sys.modules[name]
    with install_import_hook("latepkg"):
        hooked = importlib.import_module("latepkg.ops")
    before = hooked.same
    with checks_installed({"latepkg"}):
        assert hooked.same is before
