"""From source to stub, on small sources."""

from __future__ import annotations

import ast
import importlib.util
import textwrap
from pathlib import Path

import pytest

from shapecheck.stubs.skeleton import skeleton


def stub(body: str, before: str = "") -> str:
    """The stub of a module with `before` at its top and `body` in class Module."""
    text = f"{textwrap.dedent(before)}\nclass Module:\n    forward: Callable[..., Any]\n"
    made = skeleton(text + textwrap.indent(textwrap.dedent(body), "    "))
    ast.parse(made)
    return made


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("def f(self, x: int = 1) -> str:\n    return 'a'", "def f(self, x: int=1) -> str: ..."),
        ("def __repr__(self):\n    return compute()", "def __repr__(self) -> str: ..."),
        ("def f(self):\n    print(1)", "def f(self) -> None: ..."),
        ("def f(self):\n    return self", "def f(self) -> Self: ..."),
        ("def f(self):\n    return 'a' if self else other()", "def f(self): ..."),
        ("def f(self):\n    raise NotImplementedError", "def f(self): ..."),
        ("def f(self):\n    return self.g()\ndef g(self) -> int: ...", "def f(self) -> int: ..."),
        ("def f(self):\n    return self.g()\ndef g(self):\n    return self.f()", "def f(self): ..."),
        ("def f(self):\n    a = b\n    b = a\n    return a", "def f(self): ..."),
        ("def f(self):\n    x = 1\n    x = g()\n    return x", "def f(self): ..."),
        ("def f(self):\n    h = Handle(1)\n    return h", "def f(self) -> Handle: ..."),
        ("def f(self, h):\n    h = Handle(1)\n    return h", "def f(self, h) -> Handle: ..."),
        ("def f(self):\n    def g():\n        return 1\n    g()", "def f(self) -> None: ..."),
        (
            "def f(self, p: str):\n    yield p, self",
            "def f(self, p: str) -> Generator[tuple[str, Self], Any, None]: ...",
        ),
        ("def f(self):\n    yield from g()", "def f(self) -> Generator[Any, Any, None]: ..."),
        ("async def f(self) -> int:\n    return 1", "async def f(self) -> int: ..."),
        ("@staticmethod\ndef f(x='a'):\n    return unknown(x)", '@staticmethod\n    def f(x="a"): ...'),
        ("x: int = compute()", "x: int = ..."),
        ("x: int", "x: int\n"),
        ("T_d = TypeVar('T_d')", 'T_d = TypeVar("T_d")'),
    ],
)
def test_a_member(body: str, line: str) -> None:
    assert f"    {line}" in stub(body, "from hooks import Handle")


def test_the_implementation_of_overloads_is_left_out() -> None:
    declared = "@overload\ndef f(self, x: int) -> int: ...\n@overload\ndef f(self, x: str) -> str: ...\n"
    made = stub(declared + "def f(self, x):\n    return x")
    assert made.count("def f(") == 2


def test_call_follows_forward_however_torch_writes_it() -> None:
    for written in ("__call__: Callable[..., Any] = impl", "def __call__(self, *a):\n    return 1", "pass"):
        made = stub(written)
        assert made.count("    __call__ = _call_forward") == 1
        assert "Callable[..., Any] = impl" not in made
        assert "def __call__" not in made


def test_only_module_gets_the_new_call() -> None:
    made = stub("pass", "class Hook:\n    def __call__(self) -> int: ...")
    assert "    def __call__(self) -> int: ..." in made


def test_imports_are_re_exported_and_future_is_not() -> None:
    made = stub(
        "pass", "from __future__ import annotations\nimport torch\nimport a.b\nfrom .hooks import Handle as H, x"
    )
    assert "import torch as torch\nimport a.b\nfrom .hooks import Handle as H, x as x\n" in made
    assert "__future__" not in made


def test_attributes_declared_in_methods_are_kept() -> None:
    made = stub(
        "pass", "class Hook:\n    a: int\n    def __init__(self):\n        self.a: int = 1\n        self.h: str = 'x'"
    )
    assert "    h: str\n" in made
    assert made.count("a: int") == 1


def test_a_version_guard_is_kept() -> None:
    made = stub("pass", "if sys.version_info >= (3, 12):\n    def f() -> int:\n        return 1\nelse:\n    import g")
    assert "if sys.version_info >= (3, 12):\n    def f() -> int: ...\nelse:\n    import g as g" in made


GENERIC = """\
from typing import Any, Generic, TYPE_CHECKING
from typing_extensions import ParamSpec, TypeVar

_P = ParamSpec("_P", default=...)
_R = TypeVar("_R", default=Any)


class Module(Generic[_P, _R]):
    if TYPE_CHECKING:
        def forward(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    else:
        forward = _forward_unimplemented

    def train(self, mode: bool = True) -> Self:
        return self

    if TYPE_CHECKING:
        def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    else:
        __call__ = _wrapped_call_impl
"""
"""As proposed for torch: a class may state the signature of its calls, `nn.Module[[Tensor], Tensor]`."""


def test_a_generic_module_stays_generic_and_gets_our_call() -> None:
    made = skeleton(GENERIC)
    assert (
        "class Module(Generic[_P, _R]):\n    def forward(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...\n"
        in made
    )
    assert made.count("__call__") == 1
    assert "    __call__ = _call_forward\n" in made
    assert "unimplemented" not in made
    assigned = [one.targets[0] for one in ast.parse(made).body if isinstance(one, ast.Assign)]
    variables = [one.id for one in assigned if isinstance(one, ast.Name)]
    assert len(variables) == len(set(variables)) == 4, "the type variables of torch and ours have different names"


@pytest.mark.parametrize("source", ["x = 1\n", "class Module:\n    pass\n"])
def test_what_is_not_torchs_module_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="no class Module with a forward"):
        skeleton(source)


def test_every_name_of_the_installed_torch_is_there() -> None:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    source = (Path(spec.origin).parent / "nn" / "modules" / "module.py").read_text(encoding="utf-8")
    before, after = names(ast.parse(source)), names(ast.parse(skeleton(source)))
    assert before - after == set()


def names(tree: ast.Module) -> set[str]:
    """Names that the module and its classes define, as `Class.name`."""
    found = set()
    for prefix, body in [("", tree.body), *((f"{n.name}.", n.body) for n in tree.body if isinstance(n, ast.ClassDef))]:
        for node in body:
            for name in ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign) else [node]:
                match name:
                    case ast.FunctionDef(name=text) | ast.ClassDef(name=text) | ast.Name(id=text, ctx=ast.Store()):
                        found.add(prefix + text)
                    case ast.Import(names=parts) | ast.ImportFrom(names=parts):
                        found |= {prefix + (part.asname or part.name) for part in parts}
    return found
