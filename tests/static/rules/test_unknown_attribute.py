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


def test_what_another_file_sets(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "training").mkdir()
    other = tmp_path / "training" / "loop.py"
    other.write_text("def start(model):\n    model.scaling = 2\n")
    source = net("x = x * self.scaling")
    assert messages(tmp_path, source) == []
    other.write_text("def start(model):\n    pass\n")
    assert messages(tmp_path, source) == ["Net has no attribute scaling"]
