"""What the argument of an uncalled function learns from all uses of it, and of what keeps its shape."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic
from shapecheck.static import check
from tests.static.programs import HEAD

IMPORTS = HEAD + "import einops\nfrom einops import rearrange, reduce, repeat\nfrom shapecheck import reveal_shape\n"
INIT = """
class Net(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        self.conv, self.norm = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(3)
        self.fc, self.act, self.seq = nn.Linear(16, 8), nn.GELU(), nn.BatchNorm1d(3)

    def half(self, x):
        return rearrange(x, "b n (h d) -> b h n d", h=8)

    def forward(self, x, y, context=None):
"""


def net(forward: str) -> str:
    return IMPORTS + INIT + textwrap.indent(textwrap.dedent(forward).strip(), " " * 8) + "\n"


LEARNED = {
    "arithmetic": ("reveal_shape(x)\na = x * 2\nself.norm(a)", "(n, 3, h, w)"),
    "a chain of operators": ("reveal_shape(x)\nself.norm(F.relu(-x).float().contiguous().clone())", "(n, 3, h, w)"),
    "an activation and dropout": ("reveal_shape(x)\nself.norm(F.dropout(self.act(x), 0.1))", "(n, 3, h, w)"),
    "another name": ("a = F.relu(x)\nb = a\nself.norm(b)\nreveal_shape(a)", "(n, 3, h, w)"),
    "before and after": ("a = F.relu(x)\nself.norm(x)\nreveal_shape(a)", "(n, 3, h, w)"),
    "an einops pattern": ('reveal_shape(x)\nrearrange(x, "b n (h d) -> b h n d", h=8)', "(b, n, 8*d)"),
    "einops, of what keeps the shape": (
        'reveal_shape(x)\nreduce(F.relu(x), "b c (h 2) (w 2) -> b c h w", "max")',
        "(b, c, 2*h, 2*w)",
    ),
    "repeat": ('reveal_shape(x)\nrepeat(x, "b d -> b n d", n=4)', "(b, d)"),
    "a pattern with an ellipsis": ('reveal_shape(x)\nrearrange(x, "b ... (h d) -> b h ... d", h=4)', "(b, ..., 4*d)"),
    "einsum": ('reveal_shape(x)\ntorch.einsum("bnd,bmd->bnm", x, y)', "(?, ?, ?)"),
    "einsum of einops": ('reveal_shape(y)\neinops.einsum(x, y, "b n d, b m d -> b n m")', "(b, m, d)"),
    "unpacking": ("reveal_shape(x)\nb, s, d = F.relu(x).shape", "(b, s, d)"),
    "an assert": ("reveal_shape(x)\nassert x.dim() == 3", "(d0, d1, d2)"),
    "a refusal": ("reveal_shape(x)\nif x.dim() != 3:\n    raise ValueError", "(d0, d1, d2)"),
    "names of the last sizes, and of all": (
        "reveal_shape(x)\nh, w = x.shape[-2:]\na, b, c = x.mean(-1).shape",
        "(a, b, h, ?)",
    ),
    "a mean over a dimension in the middle": ("y = x.mean(dim=1)\nb, f, t = y.shape\nreveal_shape(y)", "(?, ?, ?)"),
    "what a mean in the middle leaves": ("reveal_shape(x)\nb, t = x.mean(dim=1).shape", "(?, ?, ?)"),
    "a mean over two dimensions": ("reveal_shape(x)\nb, t = x.mean(dim=(1, 2)).shape", "(?, ?, ?, ?)"),
    "a norm of the last dimension": (
        "reveal_shape(x)\nb, f = (x / F.relu(x).norm(dim=-1, keepdim=True)).sum(-1).shape",
        "(b, f, ?)",
    ),
    "what is padded in one branch": (
        "reveal_shape(x)\nz = F.pad(x, (1, 2)) if self.deep else F.relu(x)\nb, c, t = z.shape",
        "(b, c, ?)",
    ),
    "leading dimensions with other ones": (
        "reveal_shape(x)\n*lead, n = x.shape\ny = x.reshape(-1, n).view(*lead, 4, -1)\na, b, h, d = y.shape",
        "(a, b, n)",
    ),
    "a slice of a shape": (
        "reveal_shape(x)\nlead = x.shape[:-1]\ny = x.reshape(-1, 16).view((*lead, 4, 4))\na, b, h, d = y.shape",
        "(a, b, 16)",
    ),
    "a matrix that is transposed": ("reveal_shape(x)\nF.relu(x).t()", "(d0, d1)"),
    "padding by reflection": ('reveal_shape(x)\nF.pad(x, (1, 1, 2, 2), mode="reflect")', "(n, c, h, w)"),
    "attention": ("reveal_shape(x)\nnn.MultiheadAttention(16, 2, batch_first=True)(x, x, x)", "(n, t, 16)"),
    "the values of an attention": (
        "reveal_shape(y)\nnn.MultiheadAttention(16, 2)(query=x, key=x, value=y)",
        "(t, n, 16)",
    ),
    "a cast by type": ("reveal_shape(x)\nself.conv(x.type(torch.float32))", "(n, 3, h, w)"),
    "a layer of a transformer": ("reveal_shape(x)\nnn.TransformerEncoderLayer(16, 2)(x)", "(t, n, 16)"),
    "a permutation": ("reveal_shape(x)\nF.relu(x).permute(0, 2, 1)", "(d0, d1, d2)"),
    "bmm": ("reveal_shape(y)\ntorch.bmm(x, F.relu(y))", "(d0, d1, d2)"),
    "cat with an image": ("reveal_shape(y)\nself.norm(x)\ntorch.cat([x, F.relu(y)], 1)", "(n, ?, h, w)"),
    "stack": ("reveal_shape(y)\nself.norm(x)\ntorch.stack([x, y])", "(n, 3, h, w)"),
    "interpolation to two sizes": ("reveal_shape(x)\nF.interpolate(x * 2, size=(8, 8))", "(?, ?, ?, ?)"),
    "a method of the same class": ("reveal_shape(x)\nself.half(x)", "(b, n, 8*d)"),
    "what gather reads": (
        "reveal_shape(x)\ntorch.gather(F.relu(x), 1, torch.zeros(2, 3, dtype=torch.int64))",
        "(?, ?)",
    ),
    "an index of gather": ("reveal_shape(y)\nself.norm(x)\nx.gather(1, y)", "(?, ?, ?, ?)"),
    "scores of classes": ("reveal_shape(x)\nF.cross_entropy(x * 2, torch.arange(4))", "(4, ?)"),
    "indices of classes": ("reveal_shape(y)\nself.norm(x)\nF.nll_loss(x, y)", "(?, ?, ?)"),
    "all uses together": ('reveal_shape(x)\nrearrange(x, "b n d -> b (n d)")\nself.fc(x)', "(b, n, 16)"),
    "an unpacked size": ("reveal_shape(x)\nb, n, d = x.shape\nself.fc(x)", "(b, n, 16)"),
    "both branches": ("reveal_shape(x)\nif self.deep:\n    self.norm(x)\nelse:\n    self.conv(x)", "(n, 3, h, w)"),
    "after another return": (
        "reveal_shape(x)\nif self.deep:\n    return self.norm(x)\nreturn self.norm(x * 2)",
        "(n, 3, h, w)",
    ),
    "in the branch itself": (
        "if self.deep:\n    a = F.relu(x)\n    self.norm(x)\n    reveal_shape(a)\nreturn x",
        "(n, 3, h, w)",
    ),
    "a default for a missing one": (
        "context = context if context is not None else x\nself.norm(x)\nreveal_shape(x)",
        "(n, 3, h, w)",
    ),
}
UNKNOWN = {
    "an attribute that reverses any number of axes": "reveal_shape(x)\nF.relu(x).T",
    "one branch": "if self.deep:\n    self.norm(x)\nreveal_shape(x)",
    "branches of different rank": "if self.deep:\n    self.norm(x)\nelse:\n    x.permute(0, 2, 1)\nreveal_shape(x)",
    "a loop that may not run": "for one in y:\n    self.norm(x)\nreveal_shape(x)",
    "an operand that is broadcast": "self.norm(x)\nz = F.relu(x) + y\nreveal_shape(y)",
    "zero padding of one dimension": "F.pad(x, (1, 2))\nreveal_shape(x)",
    "all sizes of a vector or more": "lead = x.shape[:-1]\nreveal_shape(x)",
    "what was reshaped": "self.norm(x.flatten())\nreveal_shape(x)",
    "a layer that may lack its turn": "try:\n    self.norm(x)\nexcept RuntimeError:\n    pass\nreveal_shape(x)",
}
FOUND = {
    "a product and another pattern": 'a = x * 2\nself.norm(a)\nreturn rearrange(x, "b n d -> b d n")  # HERE',
    "a pattern and an index of the other axes": 'rearrange(x, "b n d -> b d n")\nreturn F.relu(x).sum(3)  # HERE',
    "a width of the pattern and the layer": "self.fc(x)\nreturn torch.cat([x, torch.zeros(2, 3, 5)])  # HERE",
    "in one branch": "if self.deep:\n    self.norm(F.relu(x))\n    return x.permute(0, 2, 1)  # HERE\nreturn x",
    "cat with an image": "self.norm(x)\nz = torch.cat([x, y], 1)\nreturn y.permute(0, 2, 1)  # HERE",
    "a slice of the shape and other elements": "a = self.fc(x)\nreturn a.view(*a.shape[:-1], 3, 3)  # HERE",
    "an inferred size": "a = self.fc(x)\nshape = (*a.shape[:-1], -1, 3)\nreturn a.reshape(shape)  # HERE",
    "a sum of a slice and sizes": "a = self.fc(x)\nreturn a.view(a.shape[:-1] + (4, 4))  # HERE",
    "a starred name": (
        "*lead, d = self.fc(x).shape\na = self.fc(x)\nb, n = a.view(*lead, 8).mean(1).shape\n"
        "return a[..., 0, 0, 0, 0]  # HERE"
    ),
    "a tensor as dtype": "if isinstance(x, tuple):\n    return x\nreturn torch.ones(x.shape[0], dtype=x)  # HERE",
}
QUIET = {
    "an axis is inserted": "if x.dim() == 3:\n    x = x.unsqueeze(0)\nreturn self.norm(x)",
    "ranks by their number": "if x.dim() == 3:\n    return self.half(x)\nreturn self.norm(x)",
    "ranks by another condition": "if self.deep:\n    return self.half(x)\nreturn self.norm(x)",
    "one option, twice": "if self.deep:\n    self.norm(x)\nif not self.deep:\n    self.half(x)\nreturn x",
    "an image without its batch axis": "return self.conv(F.relu(x)).permute(1, 2, 0)",
    "without its batch axis, in a branch": "if self.deep:\n    return self.conv(F.relu(x)).permute(1, 2, 0)\nreturn x",
    "a linear layer takes any rank": "self.fc(F.relu(x))\nb, n, d = x.shape\nreturn x.mean(2)",
    "what may fail": "try:\n    return self.half(x)\nexcept RuntimeError:\n    return self.norm(x)",
    "a vector that is broadcast": "z = self.norm(x) + y\nreturn y.view(3, 1, 1)",
    "a size that may be the other": "b, n, d = x.shape\nif d == 16:\n    return self.fc(x)\nreturn x.view(b, n, 3, -1)",
    "heads": "a = self.fc(x)\nreturn a.view(*a.shape[:-1], 2, -1).transpose(-3, -2).reshape(*a.shape[:-1], 8)",
    "a list of sizes": "a = self.fc(x)\nreturn a.view(list(a.shape[:-1]) + [4, 2])",
    "flattened and back": "a = self.fc(x)\nb = a.reshape(-1, 8)\nreturn b.view(*x.shape[:-1], 4, 2)",
    "sizes in front": "a = self.fc(x)\nreturn a.expand(3, *a.shape), a.expand(3, *a.shape[:-1], -1)",
    "a tensor of the leading sizes": "return torch.zeros(*x.shape[:-1], 5), x.new_zeros(x.shape[:2] + (3,))",
    "a vector": "if x.dim() == 1:\n    return x.new_zeros((*x.shape[:-1], 4))\nreturn x.sum(-1)",
    "an addition of the mean": "return x + x.mean(-1, keepdim=True) - x.mean(1, keepdim=True)",
    "two means": "a, b = x.mean(1), x.mean(2)\nreturn a.unsqueeze(1) + b.unsqueeze(2)",
    "a dtype beside a tensor": "if isinstance(x, tuple):\n    return x\nreturn torch.ones(x.shape[0], dtype=y)",
    "another rank": "if isinstance(x, str):\n    return x\nreturn x.permute(0, 2, 1), y.permute(0, 2, 1, 3)",
    "the last round alone": "for one in y:\n    if self.deep:\n        x = self.half(x)\nreturn self.norm(x)",
}


@pytest.mark.parametrize(("body", "shape"), LEARNED.values(), ids=LEARNED)
def test_an_argument_learns(body: str, shape: str, tmp_path: Path) -> None:
    assert shape in _revealed(body, tmp_path)


@pytest.mark.parametrize("body", UNKNOWN.values(), ids=UNKNOWN)
def test_nothing_is_learned_of_a_use_on_one_path_alone(body: str, tmp_path: Path) -> None:
    assert all("..." in one or "unknown" in one for one in _revealed(body, tmp_path))


@pytest.mark.parametrize("body", FOUND.values(), ids=FOUND)
def test_two_uses_that_exclude_each_other_are_found(body: str, tmp_path: Path) -> None:
    program = net(body)
    lines = [number for number, line in enumerate(program.splitlines(), 1) if "# HERE" in line]
    assert [one.line for one in _findings(program, tmp_path)] == lines


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_code_for_several_ranks_is_quiet(body: str, tmp_path: Path) -> None:
    assert not _findings(net(body), tmp_path)


def _revealed(body: str, folder: Path) -> list[str]:
    found = [one for one in _findings(net(body), folder, revealed=True) if one.code == "revealed-shape"]
    return [one.message.removeprefix("torch.float32 ") for one in found]


def _findings(program: str, folder: Path, *, revealed: bool = False) -> list[Diagnostic]:
    path = folder / "program.py"
    path.write_text(program)
    return [one for one in check([path]) if revealed or one.code != "revealed-shape"]
