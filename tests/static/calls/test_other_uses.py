"""Arguments that are used as modules: methods that tensors have, too, do not make tensors of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

WRAPPER = """
        class Wrapper(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model
                {use}

            def forward(self, x):
                return self.model.norm(x)[0, 1]{here}
"""


@pytest.mark.parametrize(
    "use",
    ["self.model.to('cpu').eval()", "self.model.half().requires_grad_(False).train()", "self.model.float().eval()"],
)
def test_a_method_that_only_modules_have_shows_a_module(use: str, tmp_path: Path) -> None:
    assert reported(tmp_path, WRAPPER.format(use=use, here="")) == []


@pytest.mark.parametrize("use", ["self.model = model.float()", "self.model = model.to('cpu')"])
def test_others_show_a_tensor(use: str, tmp_path: Path) -> None:
    program = WRAPPER.format(use=use, here="  # HERE")
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
