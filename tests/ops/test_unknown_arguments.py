"""An unknown argument on which no result depends, such as `training`, does not make a result unknown."""

from __future__ import annotations

import dis
import inspect
from inspect import Parameter
from typing import Any

import pytest

from shapecheck import UNKNOWN, TensorSpec, infer
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE, Entry

load()
SEVERAL = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
RULES = {id(one.function): one for one in TABLE.values() if inspect.isfunction(one.function)}


def f32(*axes: Any) -> TensorSpec:
    return TensorSpec(axes, "float32")


E = f32(8, 8)
ATTENDED = (f32("l", "n", 8), f32("s", "n", 8), f32("s", "n", 8), 8, 4, None, None, None, None, False)
PROJECTED = {f"{one}_proj_weight": E for one in "qkv"} | {"use_separate_proj_weight": True, "need_weights": False}
X = f32("n", "c", "h", "w")
ANSWERED = {
    "attention": ("F.multi_head_attention_forward", (*ATTENDED, UNKNOWN, E, None, UNKNOWN), PROJECTED, "(l, n, 8)"),
    "batch_norm": ("F.batch_norm", (X, f32("c"), f32("c"), None, None, UNKNOWN, UNKNOWN, UNKNOWN), {}, "(n, c, h, w)"),
    "instance_norm": ("F.instance_norm", (X,), {"use_input_stats": UNKNOWN, "eps": UNKNOWN}, "(n, c, h, w)"),
    "layer_norm": ("F.layer_norm", (f32("n", 6), (6,)), {"eps": UNKNOWN}, "(n, 6)"),
    "normalize": ("F.normalize", (f32("n", "d"),), {"p": UNKNOWN, "eps": UNKNOWN}, "(n, d)"),
    "cosine_similarity": ("F.cosine_similarity", (f32("n", "d"), f32("n", "d")), {"eps": UNKNOWN}, "(n,)"),
    "a loss": ("F.triplet_margin_loss", (f32("n", "d"),) * 3, {"margin": 1.0, "p": UNKNOWN}, "()"),
    "addmm": ("torch.addmm", (f32("n", "m"), f32("n", "k"), f32("k", "m")), {"alpha": UNKNOWN}, "(n, m)"),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_a_call_with_an_argument_that_does_not_matter_is_answered(name: str) -> None:
    operator, args, kwargs, shape = ANSWERED[name]
    found = infer(operator, *args, **kwargs)
    assert str((found[0] if isinstance(found, tuple) else found).shape) == shape


@pytest.mark.parametrize("rule", RULES.values(), ids=[one.name for one in RULES.values()])
def test_a_rule_accepts_any_value_of_what_it_does_not_read(rule: Entry) -> None:
    code = rule.function.__code__
    named = [one.argval for one in dis.get_instructions(code)]
    read = {name for one in named for name in (one if isinstance(one, tuple) else (one,))} | {*code.co_cellvars}
    single = {name: one for name, one in rule.signature.parameters.items() if one.kind not in SEVERAL}
    free = {name: str(one.annotation) for name, one in single.items() if name not in read}
    accepting = ("object", "Tensor", "Unknown")
    assert {name: one for name, one in free.items() if not any(part in one for part in accepting)} == {}
