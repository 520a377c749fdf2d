"""Assignments that nothing reads before the variable is assigned again."""

from __future__ import annotations

import ast
import textwrap

import pytest

from shapecheck.project.liveness import assigned_again

UNREAD = {
    "in a row": """
        x = f(a)  # UNREAD
        x = g(a)
        return x
    """,
    "in a branch": """
        if a:
            x = f(a)  # UNREAD
        x = g(a)
        return x
    """,
    "before a branch that assigns it in both cases": """
        x = f(a)  # UNREAD
        if a:
            x = g(a)
        else:
            x = a
        return x
    """,
    "in each round of a loop, for the next round only": """
        x = a
        for layer in layers:
            x = layer(x)  # UNREAD
        x = f(a)
        return x
    """,
    "before a loop that begins with it": """
        for one in a:
            x = f(one)  # UNREAD
            x = g(one)
            yield x
    """,
    "several variables": """
        x, y = f(a)  # UNREAD
        x, y = g(a)
        return x, y
    """,
    "before a return": """
        x = f(a)  # UNREAD
        if a:
            return None
        x = g(a)
        return x
    """,
    "in a case": """
        match a:
            case 1:
                x = f(a)  # UNREAD
                x = g(a)
            case _:
                x = a
        return x
    """,
}
READ = {
    "by the next value": """
        x = f(a)
        x = g(x)
        return x
    """,
    "where the branch is not taken": """
        x = f(a)
        if a:
            x = g(a)
        return x
    """,
    "in the next round": """
        x = a
        for layer in layers:
            y = layer(x)
            x = y
        x = f(y)
        return x
    """,
    "at the start of the next round": """
        x = None
        while a:
            print(x)
            x = f(a)
        x = g(a)
        return x
    """,
    "after a break": """
        while a:
            x = f(a)
            if x_found:
                break
            x = g(a)
        return x
    """,
    "after a continue": """
        x = a
        for one in a:
            print(x)
            x = f(one)
            if one:
                continue
            x = g(one)
        return x
    """,
    "by a handler": """
        try:
            x = f(a)
            x = g(a)
        except ValueError:
            return x
        return x
    """,
    "after an exception that is suppressed": """
        with suppress(ValueError):
            x = f(a)
            x = g(a)
        return x
    """,
    "in finally": """
        try:
            x = f(a)
            if a:
                return 1
            x = g(a)
        finally:
            print(x)
    """,
    "by a function inside": """
        x = f(a)
        call = lambda: x
        x = g(a)
        return call
    """,
    "by a generator": """
        x = f(a)
        later = (x for _ in a)
        x = g(a)
        return later, x
    """,
    "by locals": """
        x = f(a)
        print(locals())
        x = g(a)
        return x
    """,
    "as a global": """
        global x
        x = f(a)
        x = g(a)
    """,
    "by an increment": """
        x = f(a)
        x += 1
        x = g(a)
        return x
    """,
    "by del": """
        x = f(a)
        del x
        x = g(a)
        return x
    """,
    "one of two variables": """
        x, y = f(a)
        x, z = g(a)
        return x, y, z
    """,
    "one attribute": """
        a.x = f(a)
        a.x = g(a)
    """,
    "a guard of a case": """
        x = f(a)
        match a:
            case 1 if x:
                x = g(a)
            case _:
                x = a
        return x
    """,
}


def _lines(body: str) -> tuple[list[int], list[int]]:
    """The lines of the assignments that are found, and those that are marked."""
    source = "def function(a, layers):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    marked = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# UNREAD")]
    return sorted(one.lineno for one in assigned_again(function)), marked


@pytest.mark.parametrize("body", UNREAD.values(), ids=UNREAD)
def test_unread(body: str) -> None:
    found, marked = _lines(body)
    assert found == marked
    assert found


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_read(body: str) -> None:
    assert _lines(body)[0] == []


def test_the_statement_that_assigns_it_again() -> None:
    function = ast.parse("def function(a):\n    x = f(a)\n    x = g(a)\n    return x").body[0]
    assert isinstance(function, ast.FunctionDef)
    ((one, again),) = assigned_again(function).items()
    assert (one.lineno, again.lineno) == (2, 3)
