"""`shapecheck annotate`: what it writes, what it leaves, and what it drops."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.annotate.lint_settings import selects_rule
from shapecheck.annotate.verifying import Verifier
from shapecheck.cli import main
from shapecheck.diagnostics import Diagnostic, Severity

IMPORTS = "import torch\nfrom torch import Tensor, nn\n\n\n"


def annotate(*arguments: str, input: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", *arguments], input)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net.py"


def module(init: str, forward: str, parameters: str = "dim: int") -> str:
    return (
        f"class Net(nn.Module):\n    def __init__(self, {parameters}):\n        super().__init__()\n"
        f"        {init}\n\n    def forward{forward}\n"
    )


WRITTEN = {
    "a size of a layer and the names of unpacked sizes": (
        module("self.fc = nn.Linear(dim, 10)", "(self, x):\n        b, t, d = x.shape\n        return self.fc(x)"),
        'def forward(self, x: Float[Tensor, "b t {self.fc.in_features}"]) -> Float[Tensor, "b t 10"]:',
    ),
    "an attribute with the value": (
        module("self.dim = dim; self.fc = nn.Linear(dim, dim)", "(self, x):\n        return self.fc(x)"),
        'def forward(self, x: Float[Tensor, "*batch {self.dim}"]) -> Float[Tensor, "*batch {self.dim}"]:',
    ),
    "a default that a caller may replace is no number": (
        module("self.fc = nn.Linear(dim, 10)", "(self, x):\n        return self.fc(x)", "dim=64"),
        'def forward(self, x: Float[Tensor, "*batch {self.fc.in_features}"]) -> Float[Tensor, "*batch 10"]:',
    ),
    "an index of an embedding": (
        module(
            "self.table = nn.Embedding(100, dim)",
            "(self, index):\n        b, t = index.shape\n        return self.table(index)",
        ),
        'def forward(self, index: Int[Tensor, "b t"]) -> Float[Tensor, "b t {self.table.embedding_dim}"]:',
    ),
    "an optional tensor": (
        module(
            "self.fc = nn.Linear(dim, 1)",
            "(self, x: Tensor = None):\n        if x is None:\n            return None\n        return self.fc(x)",
        ),
        'def forward(self, x: Float[Tensor, "*batch {self.fc.in_features}"] | None = None)',
    ),
    "dimensions of unknown number that argument and result share": (
        "class Net(nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n",
        'def forward(self, x: Shaped[Tensor, " *shape"]) -> Shaped[Tensor, " *shape"]:',
    ),
    "a result without the last dimension of an argument": (
        "class Net(nn.Module):\n    def forward(self, x):\n        return torch.relu(x).sum(-1)\n",
        'def forward(self, x: Shaped[Tensor, "*batch _"]) -> Shaped[Tensor, " *batch"]:',
    ),
    "a size that another stride changes": (
        module(
            "self.conv = nn.Conv2d(3, dim, 3, stride=stride, padding=1)",
            "(self, x):\n        return self.conv(x)",
            "dim: int, stride: int = 1",
        ),
        'def forward(self, x: Float[Tensor, "n 3 h w"]) -> Float[Tensor, "n {self.conv.out_channels} _ _"]:',
    ),
    "a size that an optional argument of the constructor changes": (
        module("self.fc = nn.Linear(dim, out or dim)", "(self, x):\n        return self.fc(x)", "dim: int, out=None"),
        '"*batch {self.fc.in_features}"]) -> Float[Tensor, "*batch {self.fc.out_features}"]:',
    ),
    "a flag of the constructor that another result depends on": (
        module(
            "self.last = last",
            "(self, x):\n        b, t, d = x.shape\n        return x[:, -1] if self.last else x",
            "last: bool = False",
        ),
        'def forward(self, x: Shaped[Tensor, "b t d"]) -> Shaped[Tensor, "... d"]:',
    ),
    "a layer that a class extends": (
        "class Net(nn.Linear):\n    def forward(self, x):\n        return super().forward(x)\n",
        'x: Float[Tensor, "*batch {self.in_features}"]) -> Float[Tensor, "*batch {self.out_features}"]:',
    ),
    "a size that another module passes to the constructor": (
        module(
            "self.scale = nn.Parameter(torch.ones(dim))",
            "(self, x):\n        return nn.functional.layer_norm(x, self.scale.shape, self.scale)",
            "dim",
        )
        + "\n\nclass User(nn.Module):\n    def __init__(self, dim: int):\n        super().__init__()\n"
        "        self.net = Net(dim)\n",
        'x: Float[Tensor, "*batch {self.scale.shape[0]}"]) -> Float[Tensor, "*batch {self.scale.shape[0]}"]:',
    ),
    "layers that a function of the file builds": (
        module(
            "self.features = features; self.fc = nn.Linear(8, classes)",
            "(self, x):\n        return self.fc(self.features(x).mean((2, 3)))",
            "features, classes: int",
        )
        + "\n\ndef small():\n    return Net(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()), 10)\n",
        'def forward(self, x: Float[Tensor, "n _ h w"]) -> Float[Tensor, "n {self.fc.out_features}"]:',
    ),
    "a rank that a docstring states": (
        "class Net(nn.Module):\n    def forward(self, x):\n"
        '        """x: (N, C, H, W) tensor of images"""\n        return torch.relu(x)\n',
        'def forward(self, x: Shaped[Tensor, "N C H W"]) -> Shaped[Tensor, "N C H W"]:',
    ),
    "queries, keys and values": (
        module(
            "self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)",
            "(self, x, memory):\n        return self.attn(query=x, key=memory, value=memory)[0]",
        ),
        'memory: Float[Tensor, "n t2 {self.attn.embed_dim}"]) -> Float[Tensor, "n t {self.attn.embed_dim}"]:',
    ),
    "a tensor and something else": (
        module("self.fc = nn.Linear(dim, 2)", "(self, x):\n        return self.fc(x), unknown(x)"),
        '-> tuple[Float[Tensor, "*batch 2"], Any]:',
    ),
    "a rank that every caller shows": (
        "def inner(x):\n    return x * 2\n\n\ndef outer(x):\n    b, t, c = x.shape\n    return inner(torch.relu(x))\n",
        'def inner(x: Shaped[Tensor, "b t c"]) -> Shaped[Tensor, "b t c"]:',
    ),
    "a number that code in a file of settings may replace": (
        "size = 12\nexec(open('settings.py').read())\n\n\ndef start():\n    return torch.zeros(size, 3)\n",
        'def start() -> Float[Tensor, "_ 3"]:',
    ),
    "a result as an overridden method declares it": (
        "class Base(nn.Module):\n    def last(self, x) -> tuple[Tensor, int]:\n        raise NotImplementedError\n\n\n"
        "class Net(Base):\n    def last(self, x):\n        b, c = x.shape\n        return torch.relu(x), 4\n",
        'def last(self, x: Shaped[Tensor, "b c"]) -> tuple[Shaped[Tensor, "b c"], int]:',
    ),
    "attributes that the call itself sets": (
        module(
            "self.fc = nn.Linear(dim, dim); self.time = 4",
            "(self, x):\n        b, t, d = x.shape\n        self.time, self.last = t, x\n        return self.fc(x)",
        ),
        'def forward(self, x: Float[Tensor, "b t {self.fc.in_features}"])',
    ),
    "a tensor that the constructor may not get": (
        "class Pair:\n    def __init__(self, x, mask: Tensor | None):\n        self.x, self.mask = x, mask\n\n"
        "    def both(self):\n        return self.x, self.mask\n\n\n"
        "def start(x: Tensor):\n    a, b = x.shape\n    return Pair(torch.relu(x), x > 0).both()\n",
        'def both(self) -> tuple[Shaped[Tensor, "a b"], Bool[Tensor, "a b"] | None]:',
    ),
    "arguments of a constructor, which has no attributes yet": (
        "class Pair:\n    def __init__(self, x):\n        self.x = x\n\n\n"
        "def start(x: Tensor):\n    a, b = x.shape\n    return Pair(torch.relu(x))\n",
        'def __init__(self, x: Shaped[Tensor, "a b"]):',
    ),
    "the last of a number of layers, after dimensions that all of them keep": (
        module(
            "h = [8] * (n - 1); self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip([dim] + h, h + [out]))",
            "(self, x):\n        for layer in self.layers:\n            x = torch.relu(layer(x))\n        return x",
            "dim: int, out: int, n: int",
        ),
        '"*batch {self.layers[0].in_features}"]) -> Float[Tensor, "*batch {self.layers[-1].out_features}"]:',
    ),
    "tensors of any shape, if the dtype of one is known": (
        "def f(x, y: Tensor):\n    return torch.softmax(x, -1).sum() * y.sum()\n",
        'x: Float[Tensor, " ..."], y: Shaped[Tensor, " ..."]) -> Shaped[Tensor, ""]:',
    ),
    "a tensor of which only an item along several axes is used": (
        module(
            "self.fc = nn.Linear(4, 2)",
            "(self, x, at=None):\n        y = self.fc(x)\n        return y if at is None else y - at[..., None]",
        ),
        'at: Shaped[Tensor, " ..."] | None = None) -> Shaped[Tensor, "... 2"]:',
    ),
    "a padding mask of attention with a number of heads of unknown type": (
        module(
            "self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)",
            "(self, x: Tensor, pad: Tensor | None = None):\n        b, t, d = x.shape\n"
            "        return self.attn(x, x, x, pad)[0]",
            "dim, heads",
        ),
        'x: Float[Tensor, "b t {self.attn.embed_dim}"], pad: Shaped[Tensor, "b t"] | None = None)',
    ),
    "a function with the names of its author": (
        "def scores(q: Tensor, k: Tensor):\n    b, h, n, d = q.shape\n    return q @ k.transpose(-1, -2)\n",
        'q: Shaped[Tensor, "b h n d"]',
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_the_code_implies_is_written(file: Path, name: str) -> None:
    source, signature = WRITTEN[name]
    file.write_text(IMPORTS + source)
    assert annotate("net.py").exit_code == 0
    assert signature in file.read_text()


LEFT = {
    "an author's annotation": (
        'from jaxtyping import Float\n\ndef f(x: Float[Tensor, "a b"]) -> Float[Tensor, "a b"]:\n    return x\n'
    ),
    "a value that may be anything": "def f(x):\n    return x\n",
    "a function that is scripted": "@torch.jit.script\ndef f(x: Tensor):\n    b, c = x.shape\n    return x\n",
    "a rank that not every caller shows": (
        "def inner(x):\n    return x * 2\n\n\ndef one():\n    inner(torch.ones(2, 3))\n\n\n"
        "def other(items):\n    return inner(items[0])\n"
    ),
    "a tuple of tensors of which nothing is known": "def f(x, y):\n    return torch.tensor(x), torch.tensor(y)\n",
    "a result of another type than an overridden method declares": (
        "class Base(nn.Module):\n    def last(self, x) -> list:\n        raise NotImplementedError\n\n\n"
        "class Net(Base):\n    def last(self, x):\n        return torch.zeros(3)\n"
    ),
    "an argument of another type than an overridden method declares": (
        "class Base(nn.Module):\n    def last(self, x: list):\n        raise NotImplementedError\n\n\n"
        "class Other(Base):\n    pass\n\n\n"
        "class Net(Other):\n    def last(self, x):\n        b, c = torch.relu(x).shape\n"
    ),
    **{
        f"an iterator: {made}": f"def f(dim):\n    fc = nn.Linear(dim, 2)\n    out = {made}\n    return out\n"
        for made in ("map(torch.relu, [fc.weight])", "fc.parameters()", "(one * 2 for one in [fc.weight])")
    },
    "a generator": "def f(n):\n    yield torch.zeros(3)\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_known_is_left(file: Path, name: str) -> None:
    file.write_text(IMPORTS + LEFT[name])
    assert annotate("net.py").exit_code == 0
    assert file.read_text() == IMPORTS + LEFT[name]


def test_names_are_dropped_before_shapes(file: Path) -> None:
    file.write_text(
        f"{IMPORTS}def scores(q: Tensor, k: Tensor):\n    b, n, d = q.shape\n    b2, m, d = k.shape\n"
        "    return q @ k.transpose(-1, -2)\n"
    )
    result = CliRunner().invoke(main, ["annotate", "--jobs", "1", "--line-length", "200", "net.py"])
    assert 'q: Shaped[Tensor, "_ n d"], k: Shaped[Tensor, "_ m d"]) -> Shaped[Tensor, "_ n m"]' in file.read_text()
    assert "names of sizes that occur once" in result.stderr


PAIR = IMPORTS + module("self.fc = nn.Linear(dim, 10)", "(self, x):\n        b, d = x.shape\n        return self.fc(x)")


def test_a_second_run_changes_nothing(file: Path) -> None:
    file.write_text(PAIR)
    annotate("net.py")
    once = file.read_text()
    annotate("net.py")
    assert file.read_text() == once != PAIR


def test_line_ends_are_kept(file: Path) -> None:
    file.write_bytes(PAIR.replace("\n", "\r\n").encode())
    annotate("net.py")
    written = file.read_bytes()
    assert b"Float[" in written
    assert written.count(b"\n") == written.count(b"\r\n")


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_nothing_is_written_if_asked(file: Path, option: str) -> None:
    file.write_text(PAIR)
    result = annotate(option, "net.py")
    assert result.exit_code == 1
    assert file.read_text() == PAIR
    assert ("net.py: would annotate 1 function" if option == "--check" else "+from jaxtyping") in result.stdout


def test_a_plain_tensor_is_kept_if_asked(file: Path) -> None:
    file.write_text(PAIR.replace("(self, x):", "(self, x: Tensor):"))
    annotate("--keep", "net.py")
    assert "x: Tensor)" in file.read_text()


@pytest.mark.parametrize("target", ["net.py::Net.forward", "net.py::Net"])
def test_functions_are_selected(file: Path, target: str) -> None:
    other = "\n\ndef other(x):\n    a, b = x.shape\n    return x\n"
    file.write_text(PAIR + other)
    annotate(target)
    assert "Float[" in file.read_text()
    assert file.read_text().endswith(other)


def test_only_functions_of_a_name_are_annotated(file: Path) -> None:
    file.write_text(PAIR)
    annotate("--only", "other", "net.py")
    assert file.read_text() == PAIR


def test_standard_input_is_annotated() -> None:
    result = annotate("-", input=PAIR.encode())
    assert result.exit_code == 0
    assert 'x: Float[Tensor, "b {self.fc.in_features}"]' in result.stdout


def test_the_origin_of_each_dimension_is_explained(file: Path) -> None:
    file.write_text(PAIR)
    result = annotate("--explain", "net.py::Net.forward")
    assert "    b: a name in the source\n" in result.stdout
    assert "    {self.fc.in_features}: always equals self.fc.in_features\n" in result.stdout
    assert file.read_text() == PAIR


SELECTING = {
    "the rules of ruff's default": ("[tool.ruff]\nline-length = 100\n", True),
    "a prefix of the rule": ('[tool.ruff.lint]\nselect = ["E", "F7"]\n', True),
    "all rules": ('[tool.ruff.lint]\nselect = ["ALL"]\n', True),
    "an additional prefix": ('[tool.ruff.lint]\nselect = ["E"]\nextend-select = ["F"]\n', True),
    "other rules": ('[tool.ruff.lint]\nselect = ["E", "W"]\n', False),
    "all rules but this": ('[tool.ruff.lint]\nselect = ["ALL"]\nignore = ["F722"]\n', False),
    "this rule in spite of an ignored prefix": ('[tool.ruff.lint]\nselect = ["F722"]\nignore = ["F7"]\n', True),
    "ignored in files": ('[tool.ruff.lint.per-file-ignores]\n"net.py" = ["F722"]\n', False),
    "no configuration of ruff": ("[tool.black]\n", False),
}


@pytest.mark.parametrize("name", SELECTING)
def test_the_comment_for_ruff_is_written_where_ruff_selects_the_rule(file: Path, name: str) -> None:
    settings, expected = SELECTING[name]
    file.with_name("pyproject.toml").write_text(settings)
    file.write_text(PAIR)
    annotate("net.py")
    assert file.read_text().startswith("# ruff: noqa: F722\n") == expected


def test_the_configuration_of_ruff_may_be_a_file_of_its_own(tmp_path: Path) -> None:
    assert not selects_rule(tmp_path)
    (tmp_path / "ruff.toml").write_text('lint.select = ["F"]\n')
    assert selects_rule(tmp_path)


def test_nothing_that_is_contradicted_is_left_after_the_last_round(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Diagnostic("net.py", 11, 5, 11, 9, "shape-mismatch", Severity.ERROR, "contradicted")
    checks: list[bytes] = []

    def findings(_: Verifier, __: object, replaced: Mapping[Path, bytes]) -> list[Diagnostic]:
        checks.append(replaced[file])
        return [finding] if checks[-1] != PAIR.encode() else []

    monkeypatch.setattr(Verifier, "findings", findings)
    file.write_text(PAIR)
    result = CliRunner().invoke(main, ["annotate", "--jobs", "1", "net.py"])
    assert file.read_text() == PAIR
    assert "Dropped annotations of 1 function, because they are contradicted:" in result.stderr
    assert "everything: contradicted [shape-mismatch]" in result.stderr


FORMATTERS = {"black": ("-q", "-l", "88"), "ruff": ("format", "-q", "--line-length", "88")}


@pytest.mark.parametrize("name", FORMATTERS)
def test_a_formatter_changes_nothing(file: Path, name: str) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    longer = "self.fc = nn.Linear(dim, 10)"
    body = "b, d = hidden_states.shape\n        return self.fc(hidden_states)"
    forward = f"(self, hidden_states, attention_mask=None):\n        {body}"
    file.write_text("import torch\nfrom torch import Tensor, nn\n\n\n" + module(longer, forward))
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "88", "net.py"])
    before = file.read_text()
    assert "Float[" in before
    subprocess.run([program, *FORMATTERS[name], str(file)], check=True)
    assert file.read_text() == before
