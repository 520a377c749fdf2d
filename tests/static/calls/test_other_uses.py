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


FIELD = """
        def pairs(space, p, q):
            {reads}
            k = 0.5 * p
            norm = space.dot(k, k).unsqueeze(-1)
            return torch.einsum("ni,nj->nij", k, k) / norm{here}
"""


@pytest.mark.parametrize("reads", ["dtype = space.dtype; q = space.lower(q)", "q = space.device, space.metric"])
def test_an_attribute_that_tensors_do_not_have_shows_another_object(reads: str, tmp_path: Path) -> None:
    assert reported(tmp_path, FIELD.format(reads=reads, here="")) == []


@pytest.mark.parametrize("reads", ["dtype = space.dtype", "space.device; space.scale = 1"])
def test_an_object_with_attributes_of_tensors_alone_is_a_tensor(reads: str, tmp_path: Path) -> None:
    program = FIELD.format(reads=reads, here="  # HERE")
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
