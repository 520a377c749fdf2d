"""Decorators of the project that are no plain wrappers are run, and a call of the function calls their result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_WRONG = "Linear: expected the last dimension of the input to be 4, got 5 (weight of shape (8, 4)) [shape-mismatch]"
_REGISTRY = """
REGISTRY = {}
def add(mapping, key, module=None):
    if module is not None:
        if key in mapping:
            raise KeyError(key)
        mapping[key] = module
        return
    def bounded(module):
        add(mapping, key, module)
        return module
    return bounded
def register(key, module=None):
    return add(REGISTRY, key, module)
"""
_NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, x: torch.Tensor):
        return self.fc(x.view(2, 5))
"""

CLASSES = {
    "a decorator that another function makes": f"{_REGISTRY}@register('a'){_NET}",
    "a registry of a library": f"from mmengine.registry import MODELS\n@MODELS.register_module(){_NET}",
    "a lambda": f"keep = lambda cls: cls\n@keep{_NET}",
}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_under_a_decorator_that_returns_it(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, CLASSES[name]) == [_WRONG]


CHANGED = {
    "another class": """
        def narrow(cls):
            class Narrow(cls):
                def forward(self, x): return super().forward(x[:, :4])
            return Narrow
        """,
    "an attribute of the class": """
        def narrow(cls):
            forward = cls.forward
            cls.forward = lambda self, x: forward(self, x[:, :4])
            return cls
        """,
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_class_that_its_decorator_changes(name: str, tmp_path: Path) -> None:
    source = (
        CHANGED[name]
        + """
        @narrow
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 8)

            def forward(self, x):
                return self.fc(x)

        Net()(torch.rand(2, 5))
        """
    )
    execute(source)
    assert findings(tmp_path, source) == []


_METHOD = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    @changed
    def forward(self, x: torch.Tensor):
        return self.fc(x)
"""

WRAPPERS = {
    "named parameters": """
def changed(method):
    @functools.wraps(method)
    def inner(self, x, *args, **kwargs):
        x = x if x.dim() > 2 else x.unsqueeze(0)
        out = method(self, x, *args, **kwargs)
        return out
    return inner
""",
    "without wraps": """
def changed(method):
    def inner(self, x):
        return method(self, x[:, None])
    return inner
""",
    "a factory with an option": """
def factory(axis):
    def decorator(method):
        @functools.wraps(method)
        def inner(self, x):
            y = method(self, x.unsqueeze(axis))
            return y
        return inner
    return decorator
changed = factory(1)
""",
    "a wrapper around a wrapper": """
def twice(method):
    @functools.wraps(method)
    def outer(self, x):
        print(x.shape)
        return method(self, x)
    return outer
def changed(method):
    @twice
    @functools.wraps(method)
    def inner(self, x):
        return method(self, x[None])
    return inner
""",
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_call_through_a_wrapper_reaches_the_body(name: str, tmp_path: Path) -> None:
    right = f"{WRAPPERS[name]}{_METHOD}\ny = Net()(torch.rand(2, 4))\nassert y.shape[0] in (1, 2)\ny @ torch.rand(8, 3)"
    execute(right)
    assert findings(tmp_path, right) == []
    assert findings(tmp_path, f"{WRAPPERS[name]}{_METHOD}\nNet()(torch.rand(2, 5))") == [_WRONG]
    (found,) = findings(tmp_path, f"{WRAPPERS[name]}{_METHOD}\nNet()(torch.rand(2, 4)) @ torch.rand(7, 3)")
    assert "matmul" in found


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapped_body_is_analyzed_in_isolation(name: str, tmp_path: Path) -> None:
    source = WRAPPERS[name] + _METHOD.replace("self.fc(x)", "self.fc(x.view(2, 5))")
    assert findings(tmp_path, source) == [_WRONG]


ELSEWHERE = {
    "a wrapper that selects features": """
def changed(method):
    @functools.wraps(method)
    def inner(self, x):
        return method(self, x[..., :4])
    return inner
""",
    "a wrapper that does not call the function": """
def changed(method):
    def inner(self, x):
        return x
    return inner
""",
    "a wrapper that expects a failure": """
def changed(method):
    def inner(self, x):
        try:
            return method(self, x)
        except RuntimeError:
            return method(self, x[:, :4])
    return inner
""",
    "a wrapper that computes its arguments": """
import inspect
def changed(method):
    names = list(inspect.signature(method).parameters)[1:]
    @functools.wraps(method)
    def inner(self, *args, **kwargs):
        given = {name: one[:, :4] for name, one in zip(names, args)}
        return method(self, **given)
    return inner
""",
    "an object in place of the function": """
class changed:
    def __init__(self, method): self.method = method
    def __get__(self, owner, kind): return lambda x: self.method(owner, x[:, :4])
""",
    "a decorator with a state": """
made = {}
def changed(method):
    if "method" in made:
        raise KeyError(method)
    made["method"] = method
    def inner(self, x):
        return made["method"](self, x[:, :4])
    return inner
""",
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_a_wrapper_changes_is_not_reported(name: str, tmp_path: Path) -> None:
    source = f"{ELSEWHERE[name]}{_METHOD}\nNet()(torch.rand(2, 5))\nNet()(torch.rand(3, 5))"
    execute(source)
    assert findings(tmp_path, source) == []


def test_a_body_in_a_try_of_its_wrapper_is_not_analyzed(tmp_path: Path) -> None:
    source = """
        def attempt(function):
            @functools.wraps(function)
            def inner(x):
                try:
                    found = function(x)
                except RuntimeError:
                    return None
                return found
            return inner

        @attempt
        def project(x: torch.Tensor): return nn.Linear(4, 8)(x.view(2, 5))

        project(torch.rand(2, 5))
        """
    execute(source)
    assert findings(tmp_path, source) == []


_STATIC = """
def scaled(factor):
    def around(function):
        function = getattr(function, "__func__", function)
        @functools.wraps(function)
        def inner(self, x):
            return function(x[:, :4] * factor)
        return inner
    return around

def kept(function):
    return function

class Task:
    layer = nn.Linear(4, 8)

    {decorator}
    @staticmethod
    def run(x):
        return Task.layer(x)

    def go(self, x):
        return self.run(x)

Task().go(torch.zeros(2, 5))
"""


def test_an_object_binds_what_a_decorator_makes_of_a_static_method(tmp_path: Path) -> None:
    program = _STATIC.format(decorator="@scaled(2)")
    execute(program)
    assert findings(tmp_path, program) == []


@pytest.mark.parametrize("decorator", ["", "@kept"])
def test_a_static_method_that_a_decorator_returns_is_not_bound(decorator: str, tmp_path: Path) -> None:
    assert findings(tmp_path, _STATIC.format(decorator=decorator)) == [_WRONG]
