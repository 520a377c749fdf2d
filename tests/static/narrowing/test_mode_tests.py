"""Tests of a mode that is not known, in a function that is called: the caller passes what belongs to one mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
import enum
from elsewhere import options, pick


class Kind(enum.Enum):
    IMAGE = 0
    TEXT = 1


class Encoder(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind, self.fc = kind, nn.Linear(8, 4)

    def forward(self, x):
        kind = self.kind
{body}


def main():
    return Encoder({kind})(torch.zeros(2, 5, 8))
"""
FAILING = "self.fc(x.permute(0, 2, 3, 1))"
BRANCHES = {
    "a string": 'if self.kind == "image":\n    return {call}\nreturn self.fc(x)',
    "a local name": 'if kind == "image":\n    return {call}\nreturn self.fc(x)',
    "an else": 'if kind != "image":\n    return self.fc(x)\nelse:\n    return {call}',
    "an elif": 'if kind == "text":\n    return self.fc(x)\nelif kind == "image":\n    return {call}\nreturn x',
    "several strings": 'if kind in ("image", "photo"):\n    return {call}\nreturn self.fc(x)',
    "none of several strings": 'if kind not in ["image", "photo"]:\n    return self.fc(x)\nelse:\n    return {call}',
    "and": 'if kind == "image" and options.fast:\n    return {call}\nreturn self.fc(x)',
    "or": 'if kind == "image" or kind == "photo":\n    return {call}\nreturn self.fc(x)',
    "not": 'if not kind == "image":\n    return self.fc(x)\nelse:\n    return {call}',
    "a conditional expression": 'return {call} if kind == "image" else self.fc(x)',
    "a member": "if kind == Kind.IMAGE:\n    return {call}\nreturn self.fc(x)",
    "None": "if self.kind is None:\n    return {call}\nreturn self.fc(x)",
    "None of a local name": "if kind is not None:\n    return self.fc(x)\nelse:\n    return {call}",
    "None and a flag": "if options.fast and self.kind is None:\n    return {call}\nreturn self.fc(x)",
    "the identity of a member": "if kind is Kind.IMAGE:\n    return {call}\nreturn self.fc(x)",
}
OPEN = {
    "a number": "if kind == 3:\n    return {call}\nreturn self.fc(x)",
    "or with a flag": 'if kind == "image" or options.fast:\n    return {call}\nreturn self.fc(x)',
    "a flag": "if kind:\n    return {call}\nreturn self.fc(x)",
    "no flag": "if not self.kind:\n    return self.fc(x)\nelse:\n    return {call}",
    "a call": "if kind.use():\n    return {call}\nreturn self.fc(x)",
    "a conditional expression": "return {call} if kind else self.fc(x)",
}
"""Branches on other unknown conditions, which the caller may decide."""
ALWAYS = {
    "outside of the branch": 'if kind == "image":\n    x = x * 2\nreturn {call}',
    "the other branch": 'if kind == "image":\n    return x\nreturn {call}',
    "a condition on a flag": "if kind:\n    return {call}\nreturn self.fc(x)",
    "the device": 'if x.device.type == "cuda":\n    return {call}\nreturn self.fc(x)',
}


def lines(folder: Path, body: str, kind: str) -> list[str]:
    body = body.format(call=FAILING).replace("\n", "\n        ")
    path, _ = lines_of(folder, PROGRAM.format(body=f"        {body}", kind=kind))
    return [one.message for one in check([path])]


SCRIPT = """
import argparse
from elsewhere import load


def evaluate(model):
    return model(torch.zeros(2, 5))


def train(args, model):
    if args.task == "train":
        evaluate(model)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode")
    args = parser.parse_args()
    task = args.mode
    if {test}:
        evaluate(nn.Linear(8, 4))
    elif args.mode == "export":
        load(args)


if __name__ == "__main__":
    main()
"""
OPTIONS = ('args.mode == "test"', 'task == "test"', 'args.mode in ("test", "all")')


@pytest.mark.parametrize("test", OPTIONS)
def test_the_branch_for_an_option_of_the_program_is_checked(test: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, SCRIPT.format(test=test))
    assert [one for one in check([path]) if one.message.startswith("Linear")]


def test_a_dtype_does_not_depend_on_the_mode(tmp_path: Path) -> None:
    body = 'if self.kind == "image":\n    return self.fc(1 - (x > 0))\nreturn self.fc(x)'
    assert [one for one in lines(tmp_path, body, "options.kind") if one.startswith("sub")]


@pytest.mark.parametrize("name", BRANCHES)
def test_the_branch_for_another_mode_proves_nothing(name: str, tmp_path: Path) -> None:
    assert not lines(tmp_path, BRANCHES[name], "options.kind")


@pytest.mark.parametrize("name", BRANCHES)
def test_the_branch_for_the_known_mode_is_checked(name: str, tmp_path: Path) -> None:
    kind = "Kind.IMAGE" if "Kind." in BRANCHES[name] else "None" if "None" in name else '"image"'
    assert [one for one in lines(tmp_path, BRANCHES[name], kind) if one.startswith("permute")]


@pytest.mark.parametrize("name", OPEN)
def test_the_caller_may_decide_an_unknown_condition(name: str, tmp_path: Path) -> None:
    assert not lines(tmp_path, OPEN[name], "pick()")


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("wrong", ["x.transpose(0)", "self.fc(x.double())"])
def test_calls_and_dtypes_do_not_depend_on_the_condition(name: str, wrong: str, tmp_path: Path) -> None:
    assert lines(tmp_path, OPEN[name].replace("{call}", wrong), "pick()")


@pytest.mark.parametrize("name", ALWAYS)
def test_what_no_mode_decides_is_checked(name: str, tmp_path: Path) -> None:
    assert [one for one in lines(tmp_path, ALWAYS[name], "options.kind") if one.startswith("permute")]


def test_a_function_that_is_analyzed_by_itself_has_all_modes(tmp_path: Path) -> None:
    source = """
    def encode(x: Float[Tensor, "b t c"], kind: str):
        if kind == "image":
            return x.permute(0, 2, 3, 1)
        return x
    """
    path, _ = lines_of(tmp_path, source)
    assert [one for one in check([path]) if one.message.startswith("permute")]


RANKS = {
    "of a tensor": "x.ndim == 4",
    "by a method": "x.dim() == 4",
    "the length of a shape": "len(x.shape) == 4",
    "the length of an argument": "len(shape) == 4",
    "of a local name": "rank == 4",
    "at least": "rank > 3",
    "the number of spatial dimensions": "x.dim() - 2 == 2",
    "a local name of that number": "spatial == 2",
    "and a flag": "x.ndim == 4 and options.fast",
}
RANK_PROGRAM = """
from elsewhere import load, options

def spread(x, shape, parts):
    rank = x.ndim
    spatial = x.dim() - 2
    if {test}:
        return parts[2]
    return parts[1]

def main():
    x = {x}
    return spread(x, x.shape, torch.zeros(2, 9))
"""


@pytest.mark.parametrize("test", RANKS.values(), ids=RANKS.keys())
@pytest.mark.parametrize(("x", "count"), [("F.relu(load())", 0), ("torch.zeros(2, 3, 4, 5)", 1)])
def test_a_rank_is_a_mode_of_the_other_arguments(test: str, x: str, count: int, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, RANK_PROGRAM.format(test=test, x=x))
    assert len(check([path])) == count


EARLY = """
from elsewhere import load

def spread(x, parts):
    if x.ndim == 4:
        {early}
    return parts[2]

def main():
    return spread(F.relu(load()), torch.zeros(2, 9))
"""


@pytest.mark.parametrize(
    ("early", "count"),
    [("return x", 0), ("raise ValueError", 1), ("x = x[0]", 1), ("if len(x) == 0:\n            return x", 1)],
)
def test_what_follows_an_early_return_is_for_another_rank(early: str, count: int, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, EARLY.format(early=early))
    assert len(check([path])) == count


def test_a_tensor_with_some_known_sizes_is_data(tmp_path: Path) -> None:
    source = """
from elsewhere import load

def scale(x, by):
    if by.numel() == 1:
        return x * by
    if by.dim() == 2 and x.dim() == 2:
        return x
    return x * by

def main():
    return scale(torch.zeros(8, 8) + load(), torch.ones(2, 4) + load())
"""
    path, _ = lines_of(tmp_path, source)
    assert check([path]) == []


LOOP = """
from elsewhere import load

def main():
    for size in ([4], [4, 5]):
        x = load(size)
        weight = torch.zeros([3] + size)
        if x.ndim == 2:
            weight = weight.permute(1, 0)
        elif x.ndim == 3:
            weight = weight.permute(1, 2, 0)
"""


def test_the_tensors_of_one_round_have_ranks_that_belong_together(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, LOOP)
    assert check([path]) == []


def test_a_rank_in_a_function_that_is_analyzed_by_itself_is_any(tmp_path: Path) -> None:
    source = """
    def spread(x: Tensor, parts: Float[Tensor, "2 b"]):
        if x.ndim == 4:
            return parts[2]
        return parts[1]
    """
    path, _ = lines_of(tmp_path, source)
    assert len(check([path])) == 1


RECORD = """
from dataclasses import dataclass
from elsewhere import load

@dataclass
class Output:
    loss: Tensor
    count: int | None = None

    def __post_init__(self):
        if self.count is None:
            self.count = self.loss.shape[0]

def main(x: Float[Tensor, "b 4"]):
    return Output(x.mean(){count})
"""


@pytest.mark.parametrize(("count", "found"), [("", 1), (", None", 1), (", load()", 0), (", 3", 0)])
def test_a_field_that_is_given_is_not_none(count: str, found: int, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, RECORD.format(count=count))
    assert len(check([path])) == found


UNPACKING = """
from elsewhere import options

class Op:
    def __init__(self):
        self.is_flat = options.flat

    def __call__(self, x):
        assert len(x.shape) == 3

def apply(x, op):
    if op.is_flat:
        b, c, h, w = x.shape
        op(x[0])
    else:
        b, c, d, h, w = x.shape
        op(x[0, 0])

def main():
    apply(torch.zeros({sizes}), Op())
"""


@pytest.mark.parametrize("sizes", ["2, 3, 4, 5", "2, 3, 4, 5, 6"])
def test_a_branch_that_unpacks_another_number_of_sizes_is_for_another_argument(sizes: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, UNPACKING.format(sizes=sizes))
    assert check([path]) == []


def test_what_every_call_unpacks_is_checked(tmp_path: Path) -> None:
    source = "def count(x):\n    b, c, d = x.shape\n    return b\n\ndef main():\n    count(torch.zeros(2, 3, 4, 5))\n"
    path, _ = lines_of(tmp_path, source)
    assert len(check([path])) == 1


@pytest.mark.parametrize(
    ("sizes", "count"),
    [("b, 1, *rest", 0), ("*rest, b, 1", 0), ("b, 1", 0), ("b, *rest", 1), ("b,", 1), ("*rest,", 1)],
)
def test_a_written_tuple_has_its_items(sizes: str, count: int, tmp_path: Path) -> None:
    source = f"""
    def pad(x, b: int, rest):
        if x.shape == ({sizes}):
            return x.transpose(0)
        return x

    def main(b: int, rest):
        return pad(torch.zeros(b), b, rest)
    """
    path, _ = lines_of(tmp_path, source)
    assert len(check([path])) == count


@pytest.mark.parametrize("test", ["x.ndim == 2", "kind", "kind is None"])
def test_a_statement_without_effect_has_none_in_any_branch(test: str, tmp_path: Path) -> None:
    source = f"""
    from elsewhere import load, pick

    def widen(x: Tensor, kind, gate):
        if {test}:
            gate.unsqueeze(-1)
        return gate

    def main():
        widen(F.relu(load()), pick(), torch.zeros(3))
    """
    path, _ = lines_of(tmp_path, source)
    assert [one.code for one in check([path])] == ["discarded-result"]
