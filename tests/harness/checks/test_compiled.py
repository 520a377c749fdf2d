"""Where a finding about torch.compile stands."""

from __future__ import annotations

import pytest
import torch

from shapecheck.harness.checks.compiled import _reported_location

WORDS = f"""backend='aot_eager' raised:
ValueError: Cannot view a tensor

Original traceback:
  File "/program/net.py", line 12, in forward
    return self.inner(x)
  File "/program/net.py", line 34, in inner
    return x.view(3)
  File "{torch.__path__[0]}/nn/functional.py", line 56, in relu
"""


@pytest.mark.parametrize(("words", "place"), [(WORDS, ("/program/net.py", 34)), ("no line at all", None)])
def test_the_innermost_line_of_the_program_that_torch_names(words: str, place: tuple[str, int] | None) -> None:
    found = _reported_location(RuntimeError(words))
    assert (None if found is None else (found.path, found.line)) == place
