"""Wrappers: what a decorated function receives is what the wrapper passes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_NET = """
class Net(nn.Module):
    @changed
    def __init__(self, name="a", *, dim=4):
        super().__init__()
        self.fc = nn.Linear(dim, 2)

    @changed
    def forward(self, x): return self.fc(x)

"""

SILENT = {
    "renames a keyword": (
        """
        if "width" in kwargs:
            kwargs["dim"] = kwargs.pop("width")
        return function(*args, **kwargs)
        """,
        "Net(width=3)(torch.rand(5, 3))",
    ),
    "adds a keyword": (
        """
        kwargs.setdefault("dim", 3) if function.__name__ == "__init__" else None
        return function(*args, **kwargs)
        """,
        "Net()(torch.rand(5, 3))",
    ),
    "updates the keywords": (
        """
        kwargs.update(dim=3) if function.__name__ == "__init__" else None
        return function(*args, **kwargs)
        """,
        "Net()(torch.rand(5, 3))",
    ),
    "deletes a keyword": (
        """
        if "old" in kwargs:
            del kwargs["old"]
        return function(*args, **kwargs)
        """,
        "Net(old=1)(x)",
    ),
    "drops an argument": (
        """
        args = args[:2]
        return function(*args, **kwargs)
        """,
        "Net('a', 'b')(x, x)",
    ),
    "flattens the tensors": (
        """
        args = tuple(one.flatten(1) if isinstance(one, torch.Tensor) else one for one in args)
        return function(*args, **kwargs)
        """,
        "Net()(torch.rand(5, 2, 2))",
    ),
    "passes the keywords to a function that changes them": (
        """
        fill(kwargs)
        return function(*args, **kwargs)
        """,
        "Net(old=1)(x)",
    ),
}

REPORTED = {
    "counts the calls": """
        print(len(args), kwargs.get("dim"))
        return function(*args, **kwargs)
        """,
    "looks at every argument": """
        if any(isinstance(one, str) for one in args) or "dim" in kwargs:
            print(args[0])
        for name, value in kwargs.items():
            print(name, value)
        return function(*args, **kwargs)
        """,
}


def _program(body: str, call: str) -> str:
    indented = "\n".join("        " + line.strip("\n")[8:] for line in body.strip("\n").splitlines())
    return f"""
def fill(options):
    options.pop("old", None)

def changed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
{indented}
    return wrapper
{_NET}
{call}
"""


@pytest.mark.parametrize("name", SILENT)
def test_arguments_that_a_wrapper_changes_are_not_reported(name: str, tmp_path: Path) -> None:
    source = _program(*SILENT[name])
    execute(source)
    assert findings(tmp_path, source) == []


@pytest.mark.parametrize("name", REPORTED)
def test_arguments_that_a_wrapper_only_reads_are_checked(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, _program(REPORTED[name], "Net(width=3)")) == [
        'Net() got an unexpected keyword argument "width" [wrong-call]'
    ]
    assert findings(tmp_path, _program(REPORTED[name], "Net()(torch.rand(2, 3))")) == [
        "Linear: expected the last dimension of the input to be 4, got 3 (weight of shape (2, 4)) [shape-mismatch]"
    ]


def test_a_decorator_of_the_project_with_the_name_of_a_transparent_one(tmp_path: Path) -> None:
    source = """
        def cache(function):
            return lambda *args: function(args)

        @cache
        def total(several): return sum(several)

        total(1, 2)
        """
    execute(source)
    assert findings(tmp_path, source) == []
