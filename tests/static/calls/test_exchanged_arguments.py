"""wrong-call: arguments whose names are those of other parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

PROGRAM = """
import torch
from torch import Tensor, nn


def {signature}:
    return x


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps, self.width = 1e-5, width

    def forward(self, x: Tensor, y, mask, reduce, num_classes, h, w, new_h, src_len, tgt_len):
        return {call}
"""
FOUND = {
    "shifted": (
        "norm(x, shape, weight=None, bias=None, eps=1e-5)",
        "norm(x, self.weight, self.bias, self.eps)",
        "weight for shape and bias for weight and eps for bias",
    ),
    "exchanged": (
        "pool(x, mask, num_classes, reduce)",
        "pool(x, mask, reduce, num_classes)",
        "reduce for num_classes and num_classes for reduce",
    ),
    "exchanged, of another number of words": (
        "pool(x, attn_mask, key_padding_mask)",
        "(lambda attn_mask, key_padding_mask: pool(x, key_padding_mask, attn_mask))(mask, y)",
        "key_padding_mask for attn_mask and attn_mask for key_padding_mask",
    ),
}
QUIET = {
    "in their places": ("pool(x, mask, num_classes, reduce)", "pool(x, mask, num_classes, reduce)"),
    "by name": ("pool(x, mask, num_classes, reduce)", "pool(x, mask, reduce=reduce, num_classes=num_classes)"),
    "results in the same order": (
        "pad(x, key_padding_mask, attn_mask)",
        "both(x)\n\n    def pair(self, x, attn_mask, key_padding_mask):\n"
        "        attn_mask, key_padding_mask = pad(x, attn_mask, key_padding_mask)",
    ),
    "short names": ("pool(x, y)", "pool(y, x)"),
    "sizes in another order": ("pool(x, h, w)", "pool(x, w, h)"),
    "names of one kind": ("pool(x, src_len, tgt_len)", "pool(x, tgt_len, src_len)"),
    "an inverse": ("pool(x, h, new_h)", "pool(x, new_h, h)"),
    "one of several": ("pool(x, mask, reduce)", "pool(x, reduce, 2)"),
    "one argument less, with the first by name": (
        "norm(x, shape, weight=None, bias=None)",
        "norm(self.weight, self.bias, x=x, bias=3) if False else x",
    ),
    "unpacked": ("pool(x, *rest)", "pool(x, reduce, num_classes)"),
    "starred": ("pool(x, mask, num_classes, reduce)", "pool(*(x, mask), reduce, num_classes)"),
    "other names": ("pool(x, classes, how)", "pool(x, reduce, num_classes)"),
}


def program(folder: Path, signature: str, call: str) -> Path:
    path = folder / "program.py"
    path.write_text(PROGRAM.format(signature=signature, call=call))
    return path


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    signature, call, text = FOUND[name]
    codes = {"wrong-call"}
    (found,) = check([program(tmp_path, signature, call)], codes=codes)
    function = signature.partition("(")[0]
    assert (found.code, found.message) == ("wrong-call", f"{function}() gets {text}; pass them by name")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert check([program(tmp_path, *QUIET[name])], codes={"wrong-call"}) == []
