"""Programs that nest deeply or refer to themselves: no internal error, and the bug on the last line is found."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static.entry.checker import Checker

BUG = "\n\ndef last():\n    return torch.zeros(2, 3) @ torch.zeros(2, 3)\n"
HEAD = "import copy\nimport numpy as np\nimport torch\nfrom torch import nn\n\n"


def _elif(count: int) -> str:
    branches = "".join(f"    elif n == {one}:\n        y = x + {one}\n" for one in range(1, count))
    return f"def f(x, n):\n    if n == 0:\n        y = x\n{branches}    return y\n\nf(torch.zeros(3), 5)\n"


def _nested_calls(count: int) -> str:
    body = "    if x.sum() > 0:\n        for _ in range(2):\n            with torch.no_grad():\n"
    functions = [
        f"def f{one}(x):\n{body}                return [f{one + 1}(x) for _ in [0]][0]\n    return x\n"
        for one in range(count)
    ]
    return "".join(functions) + f"def f{count}(x):\n    return x\n\nf0(torch.zeros(3))\n"


DEEP = {
    "a sum": f"def f(x):\n    return {' + '.join(['x'] * 2000)}\n\nf(torch.zeros(3))\n",
    "a condition": f"def f(x):\n    return {' and '.join(['x'] * 2000)}\n",
    "attributes": f"def f(x):\n    return x{'.a' * 2000}\n",
    "subscripts": f"def f(x):\n    return x{'[0]' * 2000}\n",
    "calls": f"def f(x):\n    return {'torch.relu(' * 90}x{')' * 90}\n\nf(torch.zeros(3))\n",
    "method calls": f"def f(x):\n    return x{'.relu()' * 600}\n\nf(torch.zeros(3))\n",
    "dicts": f"d = {'{1: ' * 90}1{'}' * 90}\n",
    "negations": f"x = {'not ' * 800}1\n",
    "elif": _elif(1000),
    "conditional expressions": "def f(n):\n    return "
    + "".join(f"{one} if n == {one} else " for one in range(300))
    + "0\n",
    "functions with branches and loops": _nested_calls(45),
    "a table": "T = {\n" + "".join(f"    'k{one}': ({one}, [{one}], {{'a': {one}}}),\n" for one in range(3000)) + "}\n",
    "shared lists": "a = [1]\nfor _ in range(99):\n    a = [a, a]\ntorch.tensor(a), np.array(a), a == a\n",
    "lists in lists": "a = []\nfor _ in range(3000):\n    a = [a]\nb = copy.deepcopy(a) == a\n",
    "layers in layers": "s = nn.Linear(3, 3)\nfor _ in range(300):\n    s = nn.Sequential(s)\ns(torch.zeros(3))\n",
}

CYCLIC = {
    "a list in itself": """
        a = []
        a.append(a)
        torch.tensor(a), np.array(a), torch.stack(a), a == [a], copy.deepcopy(a), nn.ModuleList(a)
    """,
    "a dict in itself": """
        d = {}
        d["d"] = d
        copy.deepcopy(d)

        def f(c):
            for key in d:
                d[key] = [d, d] if c else d["d"]
            return torch.stack(d)

        f(True)
    """,
    "an object in itself": """
        class Node:
            def __init__(self):
                self.me = self

            def __eq__(self, other):
                return self.me == other.me

            def __len__(self):
                return len(self.me)

            def __call__(self, x):
                return self.me(x)

        node = Node()
        node == Node(), node(3), bool(node), copy.deepcopy(node), torch.tensor([node])
    """,
    "a module in itself": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.me = self
                self.layers = nn.ModuleList([self])

            def forward(self, x):
                return self.me(x)

        net = Net()
        net(torch.zeros(3))
        torch.optim.SGD(net.parameters(), 0.1)
        [p for p in net.parameters()]
    """,
    "a Sequential in itself": """
        layers = nn.Sequential(nn.Linear(3, 3))
        layers.append(nn.Sequential(layers))
        layers(torch.zeros(3))
    """,
    "a property and attributes that read themselves": """
        class Odd:
            @property
            def p(self):
                return self.p + 1

            def __getattr__(self, name):
                return getattr(self, name + "x")

        Odd().p, Odd().q
    """,
    "functions": """
        def a(x):
            return b(x) + a(torch.cat([x, x]))

        def b(x):
            return a((x, x)) + b([x])

        a(torch.zeros(1))
    """,
    "a decorator that returns itself": """
        def decorator(f):
            return decorator

        @decorator
        @decorator
        def g(x):
            return x

        g(1)(2)(3)
    """,
    "classes that build each other": """
        class A:
            def __init__(self):
                self.b = B()

        class B:
            def __init__(self):
                self.a = A()

        class Deep(nn.Module):
            def __init__(self, width=3):
                super().__init__()
                self.inner = Deep(width + 1)

        A(), Deep()
    """,
    "an import of itself": """
        import program
        from program import name
        name = program.program.name
    """,
}


@pytest.mark.parametrize("name", [*DEEP, *CYCLIC])
def test_the_program_is_analyzed_to_the_end(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + (DEEP.get(name) or textwrap.dedent(CYCLIC[name])) + BUG)
    outcome = Checker([program]).outcome(program, {str(program)})
    found = {one.line for one in outcome.diagnostics if one.code != "wrong-call"}
    assert outcome.whole
    assert not [one for one in outcome.diagnostics if one.code == "internal-error"]
    assert program.read_text().count("\n") in found
