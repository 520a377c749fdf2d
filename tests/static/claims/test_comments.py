"""Which shapes comments claim: about parameters, and about names that are assigned."""

from __future__ import annotations

import pytest

from tests.static.claims.functions import claims_in, texts

PARAMETERS = {
    "behind the signature": "def f(x):  # x: B C H W\n    return x",
    "without a name": "def f(x):  # (B, C, H, W)\n    return x",
    "crosses": "def f(x):  # x: [B x C x H x W]\n    return x",
    "behind the parameter": "def f(\n    x,  # [B, C, H, W]\n    y,\n): ...",
    "in the body": "def f(x):\n    # x: (B, C, H, W)\n    return x",
    "in words": "def f(x):\n    # x of shape (B, C, H, W)\n    return x",
    "its shape": "def f(x):\n    # x.shape: [B, C, H, W]\n    return x",
    "equals": "def f(x):\n    # x = (B, C, H, W)\n    return x",
    "input": "def f(x):\n    # input: (B, C, H, W)\n    return x",
    "before it is assigned": "def f(x):\n    y = 1\n    # x: (B, C, H, W)\n    x = y",
}
ASSIGNED = {
    "alone": "# (B, T)",
    "named": "# x: (B, T)",
    "shape": "# shape: [B, T]",
    "an arrow": "# (T, B, 1) -> (B, T)",
    "arrow first": "# -> [B, T]",
    "crosses": "# B x T",
    "a row": "# B, T",
    "explained": "# (B, T) one for each token",
}
NOTHING = {
    "another name": "# y: (B, T)",
    "a sum": "# (B, T) + (B, 1)",
    "several": "# (B, T), (B, D)",
    "no dimensions": "# (see, below)",
    "an index": "# x[0, 1]",
    "a list": "# List[B, T]",
    "a pair": "# (x, y)",
    "prose": "# a, few words",
    "numbers": "# 3 x 4",
    "a pragma": "# noqa: E501",
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters(name: str) -> None:
    claims = claims_in(PARAMETERS[name])
    assert texts(claims) == {"x": "(B, C, H, W)"}
    assert claims.parameters["x"].is_comment


@pytest.mark.parametrize("name", ASSIGNED)
def test_assigned(name: str) -> None:
    claims = claims_in(f"def f(a):\n    x = g(\n        a,\n    )  {ASSIGNED[name]}\n")
    assert [(one.name, str(one.shape), one.line) for one in claims.assigned] == [("x", "(B, T)", 4)]


@pytest.mark.parametrize("name", NOTHING)
def test_nothing(name: str) -> None:
    assert not claims_in(f"def f(a):\n    x = g(a)  {NOTHING[name]}\n")


def test_a_comment_after_an_assignment_is_not_about_the_argument() -> None:
    claims = claims_in("def f(x):\n    x = x.mean(1)  # (B, T)\n    # x: (B, T)\n    return x")
    assert texts(claims) == {}
    assert len(claims.assigned) == 1


def test_a_hash_in_a_string_begins_no_comment() -> None:
    assert not claims_in("def f(x):\n    y = '# (B, T)'\n    z = '''\n    # x: (B, T)\n    '''")


def test_a_signature_with_several_parameters_on_a_line() -> None:
    assert texts(claims_in("def f(x, y):  # (B, T)\n    return x")) == {}
    assert texts(claims_in("def f(x, y):  # x: (B, T)\n    return x")) == {"x": "(B, T)"}
