"""Methods that only tensors have show that an argument without annotation is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

SHAPES = {
    "scores.clamp(min=0)": "(...)",
    "scores.topk(5, 1).indices": "torch.int64 (?, 5, ...)",
    "scores.index_select(0, torch.arange(3))": "(3, ...)",
    "scores.squeeze_(0).float()": "torch.float32 (...)",
}


@pytest.mark.parametrize("call", SHAPES)
def test_the_result_is_a_tensor(call: str, tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path, f"from shapecheck import reveal_shape\ndef f(scores):\n    return reveal_shape({call})\n"
    )
    assert [one.message for one in check([path])] == [SHAPES[call]]


@pytest.mark.parametrize("call", ["scores.gather(values)", "scores.relu(values)", "scores.update(values)"])
def test_other_objects_have_a_method_of_this_name_too(call: str, tmp_path: Path) -> None:
    source = (
        f"from shapecheck import reveal_shape\ndef f(scores, values):\n    {call}\n    return reveal_shape(scores)\n"
    )
    path, _ = lines_of(tmp_path, source)
    assert [one.message for one in check([path])] == ["unknown: argument scores"]


@pytest.mark.parametrize("name", ["grad", "grad_fn"])
def test_an_attribute_that_depends_on_what_was_computed_may_be_none(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(
        tmp_path, f"from shapecheck import reveal_shape\nreveal_shape(torch.zeros(3).{name} is not None)\n"
    )
    (finding,) = check([path])
    assert finding.message.startswith("unknown")
