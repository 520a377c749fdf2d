"""Failures that a program expects: in `try`, in context managers that handle exceptions, in tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

_BAD = "torch.zeros(2, 3).permute(0, 1, 2)"
FOUND = {
    "after a try that may fail": """
        def f(x):
            try:
                y = x.view(2, 3)
            except RuntimeError as error:
                y = x
            return y.permute(0, 1, 2)  # HERE

        f(torch.zeros(2, 3))
        """,
    "a finally": f"""
        try:
            pass
        finally:
            {_BAD}  # HERE
        """,
    "the name of a handler hides nothing": """
        def f(x):
            try:
                y = int("3")
            except ValueError as error:
                return error.args
            return x.permute(0, 1, 2)  # HERE

        f(torch.zeros(2, 3))
        """,
    "a context manager that only cleans up": f"""
        import contextlib

        @contextlib.contextmanager
        def timed():
            try:
                yield
            finally:
                print("done")

        with timed():
            {_BAD}  # HERE
        """,
    "an object that handles nothing": f"""
        class Timer:
            def __enter__(self):
                return self

            def __exit__(self, kind, value, traceback):
                return False

        with Timer():
            {_BAD}  # HERE
        """,
    "a context manager of a library": f"""
        import warnings

        with torch.no_grad(), warnings.catch_warnings():
            {_BAD}  # HERE
        """,
    "after a skip on some condition": f"""
        import pytest

        def test_f():
            if input():
                pytest.skip("not now")
            {_BAD}  # HERE
        """,
}

QUIET = {
    "a group of exceptions": """
        def f(x):
            try:
                x = x[None]
            except* RuntimeError:
                pass
            return x.permute(0, 2, 1)

        f(torch.zeros(2, 3))
        """
    if sys.version_info >= (3, 11)
    else "",
    "the name of a handler": """
        def f(x):
            try:
                y = int("3")
            except ValueError as x:
                return x.permute(0, 1, 2)
            return x.permute(1, 0)

        f(torch.zeros(2, 3))
        """,
    "what follows a failure in a try": f"""
        try:
            y = {_BAD}
            mode = "a"
        except RuntimeError:
            mode = "b"
        if mode == "a":
            {_BAD}
        """,
    "raises under other names": f"""
        import contextlib
        import numpy
        import pytest
        from pytest import raises

        expected = pytest.raises(RuntimeError)

        def f(flag):
            with expected:
                {_BAD}
            with raises(RuntimeError) if flag else torch.no_grad():
                {_BAD}
            with torch.no_grad(), contextlib.suppress(RuntimeError):
                {_BAD}
            with numpy.testing.assert_raises(RuntimeError):
                {_BAD}
        """,
    "a parameter of a test": f"""
        def f(expectation):
            with expectation:
                {_BAD}
        """,
    "a stack of context managers": f"""
        import contextlib
        import pytest

        def f():
            with contextlib.ExitStack() as stack:
                stack.enter_context(pytest.raises(RuntimeError))
                {_BAD}
        """,
    "context managers of the project": f"""
        import contextlib

        @contextlib.contextmanager
        def handled():
            try:
                yield
            except RuntimeError as error:
                print(error)

        class Handler:
            def __enter__(self):
                return self

            def __exit__(self, kind, value, traceback):
                return kind is not None

        with handled():
            {_BAD}
        with Handler():
            {_BAD}
        """,
    "a test that fails, is skipped or is expected to fail": f"""
        import unittest
        import pytest

        class TestIt(unittest.TestCase):
            def test_skipped(self):
                self.skipTest("broken")
                {_BAD}

            @unittest.expectedFailure
            def test_expected(self):
                {_BAD}

            def test_raises(self):
                with self.assertRaisesRegex(RuntimeError, "dims"):
                    {_BAD}
                self.assertRaises(RuntimeError, lambda: {_BAD})

        @pytest.mark.xfail(raises=RuntimeError)
        def test_marked():
            {_BAD}

        def test_known():
            pytest.xfail("known")
            {_BAD}
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
