"""The message and the place of a finding about an annotation."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.contracts.programs import assert_quiet, run_typechecked, shown, written

MALFORMED = {
    "commas": ("b, c", 0),
    "two runs": ("a ... *b", 6),
    "a mark twice": ("b ##c", 2),
    "an ellipsis with a name": ("b c ...d", 4),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_axis_is_reported_at_its_column(name: str, tmp_path: Path) -> None:
    text, column = MALFORMED[name]
    start = 'def f(x: Float[Tensor, "'
    path = written(tmp_path, f'\n{start}{text}"]):\n    return x\n')
    (found,) = check([path])
    assert (found.code, found.column) == ("wrong-annotation", len(start) + column + 1)


@pytest.mark.parametrize("name", MALFORMED)
def test_jaxtyping_refuses_it_too(name: str) -> None:
    jaxtyping, torch = pytest.importorskip("jaxtyping"), pytest.importorskip("torch")
    with pytest.raises(ValueError, match=r"."):
        jaxtyping.Float[torch.Tensor, MALFORMED[name][0]]


QUIET = {
    "a class of the same name": """
        class Float:
            def __class_getitem__(cls, key):
                return Tensor

        def f(x: Float[Tensor, "b, c"]):
            return x
        """,
    "a dict of the same name": """
        table = {(Tensor, "b, c"): 1}
        table[Tensor, "b, c"]
        """,
    "an expression with parentheses": """
        def f(x: Float[Tensor, "h w"], y: Float[Tensor, "(h+1)*(w-1)"]):
            return x
        """,
}
GROUPS = {
    "a group": ("b (h w)", 2, 'axis "(h" is not a valid Python expression; for a group such as (a b) use one name'),
    "a group in front": ("(b t) d", 0, 'axis "(b" is not a valid Python expression; for a group such as (a b)'),
    "half an expression": ("b 2*", 2, 'axis "2*" is not a valid Python expression'),
}


@pytest.mark.parametrize("name", GROUPS)
def test_an_axis_that_no_tensor_matches_is_reported_once_and_implies_nothing(name: str, tmp_path: Path) -> None:
    text, column, message = GROUPS[name]
    start = 'def f(x: Float[Tensor, "'
    path = written(tmp_path, f'\n{start}{text}"]):\n    return x\n\nf(torch.zeros(2)).sum(0)\n')
    (found,) = check([path])
    assert (found.code, found.column) == ("wrong-annotation", len(start) + column + 1)
    assert found.message.startswith(message)


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("rank", range(1, 4))
def test_jaxtyping_accepts_no_tensor(name: str, rank: int, tmp_path: Path) -> None:
    shape = (1,) * rank
    program = f"""
        def f(x: Float[Tensor, "{GROUPS[name][0]}"]):
            return x

        def main():
            f(torch.zeros{shape})
        """
    with pytest.raises(Exception, match=r"(?s)Type-check|was never closed|invalid syntax|unmatched"):
        run_typechecked(tmp_path, program)


@pytest.mark.parametrize("name", QUIET)
def test_other_strings_are_not_reported(name: str, tmp_path: Path) -> None:
    assert_quiet(tmp_path, QUIET[name])


def test_notes_name_the_argument_that_bound_a_name_and_the_place_of_the_annotation(tmp_path: Path) -> None:
    program = """
        def f(
            x: Float[Tensor, "b d"],
            y: Float[Tensor, "d"],
        ):
            return x @ y

        f(torch.zeros(2, 3), torch.zeros(4))
        """
    (found,) = check([written(tmp_path, program)])
    lines = written(tmp_path, program).read_text().splitlines()
    notes = [(lines[note.line - 1].strip(), note.message) for note in found.notes]
    assert notes == [
        ('x: Float[Tensor, "b d"],', '"d" is bound to 3 by argument "x"'),
        ('y: Float[Tensor, "d"],', '"y" is annotated here'),
    ]


@pytest.mark.parametrize(
    ("parameters", "arguments", "message"),
    [
        (
            'x: Float[Tensor, "b d"], y: Float[Tensor, "2*d"]',
            "torch.zeros(2, 3), torch.zeros(7)",
            '"d" is bound to 3 by argument "x"',
        ),
        (
            'x: Float[Tensor, "*batch d"], y: Float[Tensor, "*batch"]',
            "torch.zeros(5, 4, 3), torch.zeros(7, 2)",
            '"*batch" is bound to (5, 4) by argument "x"',
        ),
        (
            'x: Float[Tensor, "b d"], y: Float[Tensor, "b"] | Float[Tensor, "d b"]',
            "torch.zeros(2, 3), torch.zeros(4)",
            '"b" is bound to 2 by argument "x"',
        ),
    ],
    ids=["an expression", "a variadic axis", "a union"],
)
def test_a_note_names_the_argument_that_bound_a_size(
    parameters: str, arguments: str, message: str, tmp_path: Path
) -> None:
    program = f"def f({parameters}): ...\n\nf({arguments})\n"
    (found,) = check([written(tmp_path, program)])
    assert message in [note.message for note in found.notes]


def test_one_wrong_argument_is_one_finding(tmp_path: Path) -> None:
    program = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(4, 8), nn.Linear(4, 8)

            def forward(self, x: Float[Tensor, "b 4"], y: Float[Tensor, "b 4"]) -> Float[Tensor, "b 8"]:
                return self.a(x) + self.b(y)

        out = Net()(torch.zeros(2, 4), torch.zeros(3, 5))
        nn.Linear(8, 2)(out)
        """
    found = check([written(tmp_path, program)])
    assert [one.code for one in found] == ["shape-mismatch"], shown(found)


def test_a_wrong_result_is_one_finding(tmp_path: Path) -> None:
    program = """
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
            return x.sum(1)

        nn.Linear(3, 2)(f(f(torch.zeros(2, 3))))
        """
    found = check([written(tmp_path, program)])
    assert [one.message[:12] for one in found] == ["return value"], shown(found)


def test_consequences_of_a_wrong_argument_are_not_findings(tmp_path: Path) -> None:
    program = """
        def inner(x: Float[Tensor, "b d"], y):
            return x @ y

        inner(torch.zeros(2, 3, 4), torch.zeros(5, 6))
        """
    found = check([written(tmp_path, program)])
    assert [one.message[:12] for one in found] == ['argument "x"'], shown(found)


def test_a_name_of_the_caller_is_distinguished_from_the_same_name_here(tmp_path: Path) -> None:
    program = """
        def inner(x: Float[Tensor, "t b"], mask: Float[Tensor, "b t"]): ...

        def outer(x: Float[Tensor, "b d"], mask: Float[Tensor, "b d"]):
            inner(x, mask)
        """
    (found,) = check([written(tmp_path, program)])
    assert 'expected dimension 0 ("b") to be d, got another b' in found.message
