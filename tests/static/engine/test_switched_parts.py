"""Flags of the parts of a model: code that visits the parts may set them, itself or through properties and methods."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

NOISY = """
class Noisy(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc, self._plain, self.open, self.mode = nn.Linear(width, width), False, False, "pair"

    @property
    def plain(self):
        return self._plain

    @plain.setter
    def plain(self, value):
        self._plain = value

    def switch(self, mode="single"):
        self.mode = mode

    def forward(self, x):
        y = self.fc(x)
        if self._plain or self.open or self.mode == "single":
            return y
        return y, y.mean()


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.one, self.norm = Noisy(width), nn.LayerNorm(width)
        self.parts = nn.ModuleList([Noisy(width)])

    def forward(self, x):
        return self.norm(self.parts[0](self.norm(self.one(x))))
"""
"""The result of `Noisy` is a pair until a flag is set."""

VISITS = {
    "a property of all modules": """
        for part in model.modules():
            if isinstance(part, Noisy):
                part.plain = True
        """,
    "an attribute of all modules": """
        for part in model.modules():
            if hasattr(part, "open"):
                part.open = True
        """,
    "an attribute of named modules": """
        for name, part in model.named_modules():
            part.open = not name.startswith("head")
        """,
    "setattr": """
        for part in model.modules():
            if isinstance(part, Noisy):
                setattr(part, "open", True)
        """,
    "a method": """
        for part in model.modules():
            if isinstance(part, Noisy):
                part.switch()
        """,
    "the modules of a part": """
        for part in [*model.one.modules(), *model.parts.modules()]:
            part.open = True
        """,
    "a function that is applied": """
        def open_it(part):
            if isinstance(part, Noisy):
                part.plain = True

        model.apply(open_it)
        """,
    "a lambda that is applied": """
        model.apply(lambda part: part.switch() if isinstance(part, Noisy) else None)
        """,
}
"""What a function does with a model before it calls it."""

HARMLESS = {
    "nothing": "pass",
    "reading": "print([part.open for part in model.modules() if isinstance(part, Noisy)])",
    "another attribute": "for part in model.modules():\n    part.other = True",
    "initializing": "model.apply(lambda part: part.reset() if hasattr(part, 'reset') else None)",
    "freezing": "for part in model.modules():\n    part.requires_grad_(False)",
}
"""What does not change the result of `Noisy`."""

OUTSIDE = {
    "an attribute": "part.open = True",
    "a property": "part.plain = True",
    "an attribute of an item": "model._modules[name].open = True",
}
"""What a function that no code calls does with the parts of a model."""

CALLED = {
    "nothing": "pass",
    "a local variable": "plain = True",
    "reading": "print(part.open)",
}
"""What a function does with the parts of a model that sets no flag."""


def main_of(visit: str) -> str:
    body = textwrap.indent(textwrap.dedent(visit), "    ")
    return f"{NOISY}\ndef main():\n    model = Net()\n{body}\n    return model(torch.zeros(2, 8))\n"


def found(folder: Path, source: str) -> list[str]:
    path, _ = lines_of(folder, source)
    return [one.message for one in check([path])]


@pytest.mark.parametrize("visit", VISITS)
def test_a_flag_that_a_visit_may_set_is_unknown(visit: str, tmp_path: Path) -> None:
    assert not found(tmp_path, main_of(VISITS[visit]))


@pytest.mark.parametrize("visit", HARMLESS)
def test_a_flag_that_no_visit_sets_is_known(visit: str, tmp_path: Path) -> None:
    source = main_of(HARMLESS[visit]).replace("@plain.setter", "@plain.deleter")
    assert [one for one in found(tmp_path, source) if one.startswith("LayerNorm: expected input to be a tensor")]


def function_of(statement: str) -> str:
    return f"{NOISY}\ndef enable(model):\n    for name, part in model.named_children():\n        {statement}\n"


@pytest.mark.parametrize("statement", OUTSIDE)
def test_a_flag_that_other_code_of_the_file_sets_is_unknown(statement: str, tmp_path: Path) -> None:
    assert not found(tmp_path, function_of(OUTSIDE[statement]))


@pytest.mark.parametrize("statement", CALLED)
def test_a_flag_that_no_code_sets_is_known(statement: str, tmp_path: Path) -> None:
    source = function_of(CALLED[statement]).replace("self._plain = value", "pass")
    assert [one for one in found(tmp_path, source) if one.startswith("LayerNorm: expected input to be a tensor")]


def test_a_mistake_that_no_flag_avoids_is_found(tmp_path: Path) -> None:
    source = main_of(VISITS["a method"]).replace("nn.LayerNorm(width)", "nn.LayerNorm(width + 1)")
    source = source.replace("return y, y.mean()", "return y * 2")
    assert [one for one in found(tmp_path, source) if one.startswith("LayerNorm")]
