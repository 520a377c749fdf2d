"""discarded-result: an operator that changes nothing, as a statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

BLOCK = """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 8)
        self.act = nn.ReLU()
        self.fast = nn.ReLU(inplace=True)
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU())

    def forward(self, x, mask: Tensor):
        y = self.linear(x)
        {}
        return y
"""

FOUND = {
    "a view": "y.unsqueeze(0)",
    "a cast": "y.to(x.device)",
    "a fill": "y.masked_fill(mask, 0.0)",
    "a function": "torch.relu(y)",
    "a function of an expression": "F.relu(self.linear(x))",
    "an option that is not inplace": "F.dropout(y, 0.5, self.training)",
    "several results": "y.sort(-1)",
    "a chain": "y.unsqueeze(1).to(x.device)",
    "an attribute": "self.linear.weight.data.clamp(min=0.0)",
    "a list of tensors": "torch.cat([y, y])",
    "a tuple of tensors": "torch.stack((y, x), dim=0)",
    "a list in a variable": "outs = [y, y]; torch.cat(outs, dim=-1)",
    "a list that a loop fills": "outs = []; [outs.append(one.relu()) for one in (x, y)]; torch.stack(outs)",
    "the first arm of a conditional expression": "y.unsqueeze(0) if self.training else None",
    "the last arm of conditional expressions": "None if self.training else print() if x.ndim else torch.relu(y)",
    "a layer in an arm": "self.act(y) if self.training else None",
    "a list with an unknown value": "torch.cat([self.linear.extra, y])",
    "an arm of a condition": "y.unsqueeze(1) if y.dim() == 2 else y",
    "an arm that is a function": "y if self.training else torch.relu(y)",
    "a layer": "self.act(y)",
    "an annotated argument": "mask.to(x.device)",
}

QUIET = {
    "a method that torch does not have": "y.fill(0)",
    "a function of torch as a method": "y.softplus()",
    "assigned": "y = y.unsqueeze(0)",
    "assigned in both cases": "y = y.unsqueeze(0) if self.training else y",
    "in place in both cases": "y.relu_() if self.training else y.zero_()",
    "appended in both cases": "outs = []; outs.append(y.relu()) if self.training else outs.append(y)",
    "a list of strings": "', '.join(['a', 'b'])",
    "in place": "y.masked_fill_(mask, 0.0)",
    "in place behind a view": "y.view(-1).zero_()",
    "out": "torch.relu(y, out=y)",
    "inplace by name": "F.relu(y, inplace=True)",
    "inplace by position": "F.relu(y, True)",
    "inplace by an option": "F.relu(y, inplace=self.training)",
    "an in-place layer": "self.fast(y)",
    "a call of several layers, for its hooks": "self.net(x)",
    "a module": "self.linear.to(x.device)",
    "the module itself": "self.to(x.device)",
    "backward": "y.sum().backward()",
    "an unknown object": "self.linear.extra.to(x.device)",
    "a new tensor, to start the device": "torch.zeros(1).cuda()",
    "an arm in place": "y.relu_() if self.training else y",
    "an arm of a module": "self.linear.to(x.device) if self.training else self.linear",
    "an arm without a tensor": "print(y) if self.training else None",
    "measured": "torch.cuda.synchronize(); torch.relu(y); torch.cuda.synchronize()",
}

FUNCTIONS = {
    "a test": "def test_runs(x: Tensor):\n    x.relu()\n",
    "a warm-up": "def warm_up(x: Tensor):\n    x.relu()\n",
    "a check": "def check_shape(x: Tensor):\n    x.view(2, 3)\n",
    "an exception that is expected": """
        def f(x: Tensor):
            try:
                x.view(2, 3)
            except RuntimeError:
                return None
        """,
    "an unknown context": """
        from flops import counted

        def f(x: Tensor):
            with counted():
                x.relu()
        """,
    "a batch that moves itself": """
        class Net(nn.Module):
            def forward(self, batch):
                batch.to("cuda")
                return batch.labels
        """,
    "a module that may be wrapped": """
        def f(model: nn.Module, several):
            model.to("cpu")
            if several:
                model = nn.DataParallel(model)
            else:
                model.to("cpu")
            return model
        """,
    "an object of a class of the project that moves itself": """
        from interfaces import Interface

        class Samples(Interface):
            def to(self, device):
                return self

        class Net(nn.Module):
            def forward(self, samples: Samples):
                samples.to("cuda")
                samples.net = self
                return samples
        """,
    "an object of a library that moves itself": """
        from torch_geometric.data import Data

        def f(data: Data):
            data.contiguous()
            return data.pos
        """,
    "cells": "# %%\nx = torch.zeros(2, 3)\nx.view(3, 2)\n",
    "not the tensor's method": """
        class Box:
            def view(self, *sizes):
                self.sizes = sizes
                return torch.zeros(3)

        Box().view(3)
        """,
}


@pytest.mark.parametrize("statement", FOUND.values(), ids=FOUND)
def test_found(statement: str, tmp_path: Path) -> None:
    source = BLOCK.format(f"{statement}  # HERE")
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "discarded-result")


@pytest.mark.parametrize("statement", QUIET.values(), ids=QUIET)
def test_quiet(statement: str, tmp_path: Path) -> None:
    assert reported(tmp_path, BLOCK.format(statement)) == []


@pytest.mark.parametrize("source", FUNCTIONS.values(), ids=FUNCTIONS)
def test_run_for_effect(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, source) == []


def test_both_arms_are_reported(tmp_path: Path) -> None:
    source = BLOCK.format("y.unsqueeze(0) if self.training else y.squeeze(0)")
    assert [code for _, code, _ in reported(tmp_path, source)] == ["discarded-result"] * 2


def test_what_may_be_a_module_changes_in_place(tmp_path: Path) -> None:
    source = """
class Wrapper(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.kind = self.inner.dtype
        self.inner.requires_grad_(False)
        self.inner.to(memory_format=torch.channels_last)
"""
    assert reported(tmp_path, source) == []


def test_found_where_only_the_mode_changes(tmp_path: Path) -> None:
    source = "def f(x: Tensor):\n    with torch.no_grad():\n        x.clamp(min=0)\n    return x\n"
    ((_, code, message),) = reported(tmp_path, source)
    assert (code, message) == (
        "discarded-result",
        "clamp returns a new tensor, which is not used, and does not change x; assign the result, or use x.clamp_",
    )
