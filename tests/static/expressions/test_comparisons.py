"""Comparisons that are decided: of ranks with a lower bound, dtypes, layouts, texts and classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

_CALL = "\n\n        f(torch.zeros(2, 3))"
_DECIDED = {
    "a dtype": "x.dtype == torch.float64 or x.dtype in (torch.int64, torch.bool) or x.dtype is torch.float16",
    "a kind of dtype": "not x.dtype.is_floating_point or x.dtype.is_complex or x.dtype.itemsize == 8",
    "the text of a dtype": "str(x.dtype) == 'torch.float64'",
    "a layout": "x.layout == torch.sparse_coo or x.layout in (torch.sparse_csr,) or x.layout is not torch.strided",
    "a kind of layout": "x.is_sparse or x.is_nested or x.is_mkldnn or x.is_quantized or x.is_sparse_csr",
    "a rank between two": "not 2 <= x.dim() <= 3 or x.ndim not in (2, 3) or x.ndim in range(3, 5)",
    "the length of a shape": "len(x.shape) == 3 or len(list(x.size())) > 2",
    "a shape": "x.shape != (2, 3) or x.shape == torch.Size([2, 4]) or list(x.shape) != [2, 3]",
    "callable": "callable(x) or callable('a') or not callable(f) or not callable(nn.Linear(2, 3))",
    "torch exports": "torch.onnx.is_in_onnx_export() or torch.fx._symbolic_trace.is_fx_tracing()",
    "torch compiles": "torch.compiler.is_compiling() or torch._dynamo.is_compiling() or torch.jit.is_scripting()",
    "torch traces": "torch._C._get_tracing_state() or torch.jit.is_tracing()",
    "an overridden function": "torch.overrides.has_torch_function((x,))",
}
_CONSTANT = {
    "a version of Python": "sys.version_info < (3, 8) or sys.version_info[0] == 2 or sys.version_info[:2] <= (3, 6)",
    "a version of torch": "version.parse(torch.__version__) < version.parse('1.8.0') or torch.__version__ < '1.2'",
    "tuples": "(1, 2) < (1, 1) or (1, 2) >= (1, 2, 0) or (2,) < (1, 5)",
    "a member of an enumeration": "Mode('a') != Mode.A or Mode(Mode.A) == Mode.B or Mode.A == 'b'",
    "a number of an enumeration": "Level.LOW > 1 or Level.LOW >= Level.HIGH",
}
_SETUP = """
        import enum
        import sys
        from packaging import version

        class Mode(str, enum.Enum):
            A = "a"
            B = "b"

        class Level(enum.IntEnum):
            LOW = 1
            HIGH = 2
"""
FOUND = (
    {
        f"not {name}": f"""
        def f(x):
            if not ({test}):
                return x.permute(0, 1, 2)  # HERE{_CALL}
        """
        for name, test in _DECIDED.items()
    }
    | {
        f"not {name}": f"""{_SETUP}
        if not ({test}):
            torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """
        for name, test in _CONSTANT.items()
    }
    | {
        "a size of unknown rank": """
        def f(x: Tensor):
            x = x + torch.zeros(3, 3)
            n = x.shape[-1]
            if n == 3 and x.shape[-2:] == (3, 3):
                return x[..., 3]  # HERE
        """,
        "a version that may be older": """
        import sys

        if sys.version_info >= (3, 12):
            torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """,
        "a rank that reaches the lower bound": """
        def f(x: Tensor):
            x = x + torch.zeros(2, 3, 4)
            shape = x.shape
            if len(shape) > 2:
                return x.permute(0, 1)  # HERE
        """,
        "a subclass": """
        class Base: ...
        class Derived(Base): ...

        if issubclass(Derived, (int, Base)) and not issubclass(Base, Derived):
            torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """,
    }
)
QUIET = (
    {
        name: f"""
        def f(x):
            if {test}:
                return x.permute(0, 1, 2)
            return x{_CALL}
        """
        for name, test in _DECIDED.items()
    }
    | {
        name: f"""{_SETUP}
        if {test}:
            torch.zeros(2, 3).permute(0, 1, 2)
        """
        for name, test in _CONSTANT.items()
    }
    | {
        "a size of unknown rank": """
        def f(x: Tensor):
            x = x + torch.zeros(3, 3)
            n = x.shape[-1]
            if n == 4 or x.shape[-2:] == (4, 4):
                return x[..., 3]
            return x
        """,
        "a rank below the lower bound": """
        def f(x: Tensor):
            x = x + torch.zeros(2, 3, 4)
            shape = x.shape
            if len(shape) == 2 or shape == (2, 3) or x.dim() < 3 or x.ndim in (1, 2):
                return x.permute(0, 1)
            return x
        """,
        "a subclass": """
        class Base: ...
        class Derived(Base): ...

        if issubclass(Base, Derived) or not issubclass(Derived, Base):
            torch.zeros(2, 3).permute(0, 1, 2)
        """,
        "a tensor that may be sparse": """
        def f(x: Tensor):
            y = x + torch.zeros(3)
            if y.is_sparse or y.layout == torch.sparse_csr:
                return y.permute(0, 1) + y.values().permute(0, 1, 2)
            return y
        """,
    }
)


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
