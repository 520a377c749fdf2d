"""Lists that code fills which the analysis does not run: hooks, callbacks, and loops over what a subclass names."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

SILENT = {
    "a list with two names, one of which is set in one branch only": """
class Recorder:
    def all(self, options, results):
        if options.recorded:
            self.kept = kept = []
        for result in results:
            if options.recorded:
                kept.append(result)
        return torch.stack(self.kept)
""",
    "a hook that is a lambda": """
class Recorder:
    def __init__(self, layer):
        self.kept = []
        layer.register_forward_hook(lambda module, args, result: self.kept.append(result))

    def all(self):
        return torch.cat(self.kept)
""",
    "an attribute that a hook fills": """
def main():
    net = nn.Linear(3, 4)
    net.seen = []

    def save(module, args, result):
        module.seen.append(result)

    net.register_forward_hook(save)
    net(torch.rand(2, 3))
    return torch.cat(net.seen)

main()
""",
    "a function in a dict": """
def scales(model, kinds):
    found = []

    def quantize(layer):
        found.append(layer.weight.abs().max()[None])

    actions = {kind: quantize for kind in kinds}
    for layer in model.children():
        actions[type(layer)](layer)
    return torch.cat(found)
""",
    "an index from names that a subclass has": """
class Images:
    wanted = ()

    def shown(self, images, names):
        chosen = []
        for name in self.wanted:
            chosen.append(names.index(name))
        return images[:, chosen][:, 0]
""",
}
FOUND = {
    "a list that nothing fills": """
def stacked():
    found = []
    return torch.cat(found)  # HERE
""",
    "a list that is emptied again": """
def stacked(x: torch.Tensor):
    found = []
    found.append(x)
    found.clear()
    return torch.cat(found)  # HERE
""",
}
HEAD = "import torch\nfrom torch import nn\n"


@pytest.mark.parametrize("name", SILENT)
def test_what_other_code_fills_is_silent(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + SILENT[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_nothing_fills_is_found(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + FOUND[name])
    (found,) = check([path])
    assert "# HERE" in path.read_text().splitlines()[found.line - 1]
