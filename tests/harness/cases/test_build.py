"""A model that asks for a file that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from torch import nn

from shapecheck.harness.cases.build import build
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case, CaseError


class Configured(nn.Module):
    def __init__(self, path: str = "no_such_file.yaml") -> None:
        super().__init__()
        self.text = Path(path).read_text()


def _case(declared: Declared) -> Case:
    return Case(name="it", target=Configured, file=Path(__file__), line=1, declared=declared)


def test_one_that_only_its_defaults_ask_for() -> None:
    with pytest.raises(CaseError, match=r"default arguments raise FileNotFoundError: .*kwargs=\{\.\.\.\}"):
        build(_case(Declared()))


def test_one_that_was_given() -> None:
    with pytest.raises(FileNotFoundError):
        build(_case(Declared(kwargs={"path": "no_other_file.yaml"})))
