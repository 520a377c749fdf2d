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


class Layer(nn.Module):
    def __init__(self, settings):  # type: ignore[no-untyped-def]
        super().__init__()
        assert settings.width % settings.heads == 0
        self.fc = nn.Linear(settings.width, settings.width, bias=settings.bias)
        self.drop = nn.Dropout(settings.dropout)


class Net(nn.Module):
    def __init__(self, settings):  # type: ignore[no-untyped-def]
        super().__init__()
        self.layers = nn.ModuleList([Layer(settings) for _ in range(settings.n_layer)])  # type: ignore[no-untyped-call]


class Sized(nn.Module):
    def __init__(self, settings):  # type: ignore[no-untyped-def]
        super().__init__()
        self.fc = nn.Linear(settings, settings)


def _inferred(target: type[nn.Module]) -> nn.Module:
    return build(Case(name="it", target=target, file=Path(__file__), line=1, declared=Declared(), infers=True))


def test_a_configuration_has_the_attributes_that_its_module_reads() -> None:
    net = _inferred(Net)
    assert [type(one) for one in net.layers] == [Layer, Layer]  # type: ignore[union-attr]
    assert net.layers[0].fc.bias is not None  # type: ignore[index, union-attr]
    assert 0 < net.layers[0].drop.p < 1  # type: ignore[index, union-attr]


def test_a_parameter_without_attributes_is_a_size() -> None:
    assert _inferred(Sized).fc.in_features == 8  # type: ignore[union-attr]


def test_nothing_is_made_up_where_annotations_are_not_inferred() -> None:
    with pytest.raises(CaseError, match="constructor requires settings"):
        build(Case(name="it", target=Net, file=Path(__file__), line=1, declared=Declared()))
