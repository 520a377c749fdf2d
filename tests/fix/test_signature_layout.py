"""Forwards of many widths in black's form: what is inserted is in black's and ruff's form too.

Without pragma comments, which black counts towards the length of a line and ruff does not, without lambdas as defaults,
around which the two split a long parameter differently, and without members of unions that need several lines: no
layout suits both there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import black
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shapecheck.fix.model import FixOptions, Style
from tests.amount import amount

from .support import ALL_CODES, fix_text

EXAMPLES = amount("SHAPECHECK_FUZZ_EXAMPLES", short=24, long=75)
LENGTHS = (79, 88, 100, 119)
_NAMES = [
    *("x", "q", "key", "mask", "hidden_states", "attention_mask", "encoder_hidden_states"),
    *("past_key_values", "position_embeddings_for_the_decoder"),
]
_ANNOTATIONS = [
    *("Tensor", "int", "float", "Tensor | None", "Optional[Tensor]", 'Float[Tensor, "b c h w"]', '"Tensor"'),
    *("dict[str, Tensor]", "tuple[Tensor, tuple[Tensor, ...] | None]", "Callable[[Tensor, int], Tensor]", "..."),
]
_DEFAULTS = ["None", "1.0", '"b (h w): #"', "(1, 2)", "-1", "{}", "[1, 2, 3]"]
_RETURNS = [
    *("Tensor", "None", '"Tensor"', 'Float[Tensor, "b c"]', "tuple[Tensor, Tensor] | None", "dict[str, list[Tensor]]"),
    "tuple[Tensor, tuple[Tensor, ...], dict[str, Tensor], list[tuple[Tensor, Tensor]] | None, int, float]",
    'Float[Tensor, "batch time width"] | tuple[Float[Tensor, "batch time"], Float[Tensor, "b"]]',
    'Float[Tensor, "b c"] | list[Tensor | None] | tuple[Float[Tensor, "b c"], dict[str, Tensor | int]]',
]
_HEAD = """\
from typing import TYPE_CHECKING, Any, Callable, Optional

from jaxtyping import Float
from torch import Tensor, nn


"""


@st.composite
def _parameters(draw: st.DrawFn) -> str:
    names = draw(st.lists(st.sampled_from(_NAMES), max_size=8, unique=True))
    star = draw(st.integers(0, 10))
    slash = draw(st.integers(1, 20))
    parts, has_default = ["self"], False
    for n, name in enumerate(names):
        if n == star:
            parts.append(draw(st.sampled_from(["*", "*rest: Tensor"])))
        elif n == slash:
            parts.append("/")
        has_default = draw(st.booleans()) or (has_default and n < star)
        default = f" = {draw(st.sampled_from(_DEFAULTS))}" if has_default else ""
        parts.append(f"{name}: {draw(st.sampled_from(_ANNOTATIONS))}{default}")
    if draw(st.booleans()):
        parts.append("**options: Any")
    return ", ".join(parts) + draw(st.sampled_from(["", "", ","]))


@st.composite
def _class(draw: st.DrawFn) -> str:
    returns = draw(st.sampled_from(_RETURNS))
    after = draw(st.sampled_from(["", "\n\n    def extra(self) -> int:\n        return 1"]))
    signature = f"def forward({draw(_parameters())}) -> {returns}:"
    body = f"class Net(nn.Module):\n    {signature}\n        return None{after}\n"
    for level in range(draw(st.integers(0, 2))):
        body = f"def make{level}():\n{textwrap.indent(body, '    ')}"
    return body


def _formatted(text: str, length: int) -> str | None:
    mode = black.Mode(line_length=length, target_versions={black.TargetVersion.PY311})
    try:
        once = black.format_str(text, mode=mode)
        return once if black.format_str(once, mode=mode) == once else None
    except black.InvalidInput:
        return None


@pytest.mark.parametrize("style", list(Style), ids=lambda style: style.value)
@pytest.mark.parametrize("length", LENGTHS)
def test_stable_under_black_and_ruff(tmp_path: Path, length: int, style: Style) -> None:
    options = FixOptions(ALL_CODES, style, line_length=length)
    made: list[int] = []

    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
    )
    @given(_class())
    def check(source: str) -> None:
        text = _formatted(_HEAD + source, length)
        if text is None:
            return
        fixed = fix_text(text, options)
        assert fixed != text
        assert _formatted(fixed, length) == fixed
        assert fix_text(fixed, options) == fixed
        made.append(length)
        (tmp_path / f"case{len(made)}.in.py").write_text(text)
        (tmp_path / f"case{len(made)}.out.py").write_text(fixed)

    check()
    assert len(made) >= EXAMPLES * 2 // 3
    changed = _changed_by_ruff(tmp_path, length)
    outs = {name[:-4] for name in changed if name.endswith(".out")}
    # An input that ruff formats otherwise than black is not ours to judge.
    ins = {name[:-3] for name in changed if name.endswith(".in")}
    assert sorted(outs - ins) == []
    assert len(made) - len(ins) >= EXAMPLES * 4 // 15


def _changed_by_ruff(folder: Path, length: int) -> set[str]:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--target-version", "py311"]
    command += ["--check", "--line-length", str(length), "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return set(re.findall(r"case\d+\.(?:in|out)", done.stdout + done.stderr))
