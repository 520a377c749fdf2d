"""unknown-attribute: what a module reads of itself, and nothing in the repository gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = "import torch\nfrom torch import Tensor, nn\n"
NET = """
class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d_conv = d
        self.linear = nn.Linear(d, d)
        {constructor}

    def forward(self, x: Tensor, fast=False):
        {forward}
        return self.linear(x)
"""
FOUND = {
    "a wrong name": ("y = x[: self.dconv]", "Net has no attribute dconv; did you mean d_conv?"),
    "a method": ("x = self._prepared(x)", "Net has no attribute _prepared"),
    "in a branch that no default selects": ("if fast: x = self.quick(x)", "Net has no attribute quick"),
    "in an inner function": ("x = (lambda: self.scaling * x)()", "Net has no attribute scaling"),
}
QUIET = {
    "of nn.Module": ("pass", "self.requires_grad_(False); self._modules; self._forward_hooks; self.training"),
    "set by another method": ("pass", "x = x * self.scaling\n\n    def begin(self):\n        self.scaling = 2"),
    "a buffer": ("self.register_buffer('scaling', torch.ones(1))", "x = x * self.scaling"),
    "a class variable": ("pass", "x = x * self.scaling\n\n    scaling = 2"),
    "a declared one": ("pass", "x = x * self.scaling\n\n    scaling: int"),
    "a property": ("pass", "x = x * self.scaling\n\n    @property\n    def scaling(self):\n        return 2"),
    "computed names": ("for i in range(2): setattr(self, f'scaling_{i}', i)", "x = x * self.scaling_0"),
    "buffers with computed names": (
        "for i in range(2): self.register_buffer(f'scaling_{i}', torch.ones(1))",
        "x = x * self.scaling_0",
    ),
    "its dictionary": ("self.__dict__.update(scaled=d)", "x = x * self.scaling"),
    "tested": ("pass", "if hasattr(self, 'scaling'): x = x * self.scaling"),
    "tried": ("pass", "try: x = x * self.scaling\n        except AttributeError: pass"),
    "passed on": ("torch.jit.prepare(self)", "x = x * self.scaling"),
    "its own __getattr__": ("pass", "x = x * self.scaling\n\n    def __getattr__(self, name):\n        return 2"),
    "named in a comment": ("pass  # scaling is set by the caller", "x = x * self.scaling"),
    "a private attribute that a library may set": ("pass", "x = x * self._scaling"),
    "of another object": ("self.other = d", "x = x * self.other.scaling"),
}
OTHER = """

class Other(nn.Module):
    def build(self, d, x):
        other = Other()
        layers: nn.Module = nn.Sequential()
        name = f"part_{{d}}"
        {code}
"""
BOUND = {
    "to an object": "other.forward = Net.forward.__get__(other, Other)",
    "to an object, by its type": "other.forward = types.MethodType(Net.forward, other)",
    "as a function": "Other.forward = Net.forward",
    "in a call": "return Net.forward(d, x)",
    "in a call of another class": "return Net.forward(self, x)",
    "of an object of the class": "other.forward = types.MethodType(net.forward.__func__, other)",
    "of an object of a subclass": "other.forward = Sub.forward.__get__(other)",
    "by its name": "other.forward = getattr(Net, 'forward').__get__(other)",
    "with all others": "for key, method in vars(Net).items(): copy(method, other)",
    "by the dictionary of the class": "copy(Net.__dict__, other)",
    "by its class": "other.__class__ = Net",
}
NOT_BOUND = {
    "another class": "other.forward = Other.build.__get__(other, Other)",
    "a static method": "return Net.width(x)",
    "another attribute": "return Net.__name__",
    "what is no class": "other.__class__ = type(d); return vars(d()), getattr(d(), 'forward'), d().__func__",
}
GIVEN = {
    "a prefix": "net.register_buffer(f'scal{d}', x)",
    "a suffix": "net.register_parameter(f'{d}ing', x)",
    "a sum": "net.add_module('scal' + d, x)",
    "a format": "setattr(net, 'scal{}'.format(d), x)",
    "a conversion": "setattr(net, 'scal%(end)s' % vars(d), x)",
    "a variable": "key = f'scal{d}'; setattr(net, key, x)",
    "by object": "object.__setattr__(net, f'scal{d}', x)",
    "a keyword": "net.register_buffer(name=f'scal{d}', tensor=x)",
    "any name": "setattr(net, d, x)",
    "any names": "setattr(*d)",
    "of the children of another": "for key, child in other.named_children(): setattr(net, key, child)",
}
NOT_GIVEN = {
    "another prefix": "net.register_buffer(f'shift{d}', x)",
    "a variable with another prefix": "setattr(net, name, x)",
    "of the other class": "setattr(self, d, x)",
    "of a container": "layers.add_module(d, x)",
    "of a new container": "nn.Sequential().add_module(d, x)",
    "of its children": "for key, child in list(net.named_children()): setattr(net, key, child)",
}


def messages(folder: Path, source: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + source)
    return [one.message for one in check([path]) if one.code == "unknown-attribute"]


def net(forward: str, constructor: str = "pass") -> str:
    return NET.format(constructor=constructor, forward=forward)


@pytest.mark.parametrize(("forward", "message"), FOUND.values(), ids=FOUND)
def test_found(tmp_path: Path, forward: str, message: str) -> None:
    assert messages(tmp_path, net(forward)) == [message]


@pytest.mark.parametrize(("constructor", "forward"), QUIET.values(), ids=QUIET)
def test_quiet(tmp_path: Path, constructor: str, forward: str) -> None:
    assert messages(tmp_path, net(forward, constructor)) == []


@pytest.mark.parametrize("name", ["BaseNet", "NetMixin", "AbstractNet", "NetBase"])
def test_what_subclasses_may_set(tmp_path: Path, name: str) -> None:
    source = net("x = x * self.scaling")
    assert messages(tmp_path, source) == ["Net has no attribute scaling"]
    assert messages(tmp_path, source.replace("class Net(", f"class {name}(")) == []


def test_what_a_base_of_another_library_may_have(tmp_path: Path) -> None:
    source = net("x = x * self.scaling").replace("(nn.Module)", "(library.Mixin, nn.Module)")
    assert messages(tmp_path, "import library\n" + source) == []


def test_a_module_of_the_hub(tmp_path: Path) -> None:
    source = net("x = x * self.scaling").replace("(nn.Module)", "(nn.Module, PyTorchModelHubMixin)")
    head = "from huggingface_hub import PyTorchModelHubMixin\n"
    assert messages(tmp_path, head + source) == ["Net has no attribute scaling"]
    assert messages(tmp_path, head + source.replace("x = x * self.scaling", "self.save_pretrained('here')")) == []


def with_other(code: str) -> str:
    below = "\n    @staticmethod\n    def width(x):\n        return x\n\n\nclass Sub(Net):\n    pass\n"
    return net("x = x * self.scaling") + below + OTHER.format(code=code)


@pytest.mark.parametrize("code", [*BOUND.values(), *GIVEN.values()], ids=[*BOUND, *GIVEN])
def test_what_other_code_may_give(tmp_path: Path, code: str) -> None:
    """A method may be bound to an object of another class, and a name may be computed."""
    assert messages(tmp_path, with_other(code)) == []


@pytest.mark.parametrize("code", [*NOT_BOUND.values(), *NOT_GIVEN.values()], ids=[*NOT_BOUND, *NOT_GIVEN])
def test_what_other_code_does_not_give(tmp_path: Path, code: str) -> None:
    assert messages(tmp_path, with_other(code)) == ["Net has no attribute scaling"]


@pytest.mark.parametrize("base", ["Net", "Sub"])
def test_a_subclass_that_calls_the_method_of_its_base(tmp_path: Path, base: str) -> None:
    below = (
        f"class Sub(Net): pass\n\nclass Last({base}):\n    def forward(self, x):\n        return Net.forward(self, x)\n"
    )
    assert "Net has no attribute scaling" in messages(tmp_path, net("x = x * self.scaling") + below)


@pytest.mark.parametrize(
    "code",
    [
        "from program import Net as Old\nother.forward = Old.forward.__get__(other)\n",
        "def begin(model, n):\n    model.register_buffer(f'scal{n}', n)\n",
        "from program import Net\n\ndef begin(name):\n    setattr(Net(2), name, 2)\n",
    ],
)
def test_what_another_file_may_give(tmp_path: Path, code: str) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    source, other = net("x = x * self.scaling"), tmp_path / "other.py"
    other.write_text(code)
    assert messages(tmp_path, source) == []
    other.write_text("def begin(model, name):\n    setattr(model, name, 2)\n")
    assert messages(tmp_path, source) == ["Net has no attribute scaling"]


def test_what_another_file_sets(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "training").mkdir()
    other = tmp_path / "training" / "loop.py"
    other.write_text("def start(model):\n    model.scaling = 2\n")
    source = net("x = x * self.scaling")
    assert messages(tmp_path, source) == []
    other.write_text("def start(model):\n    pass\n")
    assert messages(tmp_path, source) == ["Net has no attribute scaling"]
