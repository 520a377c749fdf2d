"""What numpy's arrays are as tensors, held against numpy itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

EXPRESSIONS = """
np.zeros((2, 3))
np.zeros(4, dtype=np.uint8)
np.full((2, 2), 7)
np.ones((2, 3), dtype="float32")
np.eye(3, dtype=bool)
np.arange(5)
np.arange(0, 1, 0.25)
np.arange(5, dtype=np.float32)
np.linspace(0, 1, 7)
np.array([1, 2, 3])
np.array([[1.0, 2], [3, 4]])
np.array([np.zeros(3), np.ones(3)])
np.random.rand(2, 3)
np.random.randint(0, 5, size=(3,))
np.random.default_rng(0).normal(size=(4, 2))
np.random.default_rng(0).integers(0, 3, size=4)
np.random.RandomState(0).uniform(-1, 1, (3,))
np.random.choice(5, size=3)
np.random.permutation(5)
np.random.permutation(np.zeros((3, 2)))
np.zeros((2, 3), dtype=np.float32) * 2.0
np.zeros(3, dtype=np.float32) + np.zeros(3)
np.zeros(3, dtype=np.float32) * np.arange(3)
np.zeros(3, dtype=np.uint8) / 255.0
np.arange(3) / 2
np.arange(3) * 2
np.arange(3) ** 2.0
2.0 ** np.arange(6) * np.pi
np.zeros((3, 1)) + np.zeros(4)
np.arange(4) > 2
np.arange(6).reshape(2, -1)
np.zeros((2, 3, 4)).transpose(2, 0, 1)
np.zeros((2, 3)).T
np.zeros((2, 3))[0]
np.zeros((2, 3))[:, None]
np.zeros((2, 3)).mean(axis=0)
np.zeros((2, 3), dtype=np.float32).std(axis=1, keepdims=True)
np.arange(6).reshape(2, 3).sum(axis=1)
np.arange(6).reshape(2, 3).argmax(axis=0)
np.stack([np.zeros(3), np.zeros(3)], axis=1)
np.concatenate([np.zeros((1, 2)), np.zeros((3, 2))])
np.sin(np.arange(3))
np.exp(np.zeros(3, dtype=np.float32))
np.zeros((2, 3)) @ np.zeros((3, 4))
np.outer(np.arange(2), np.zeros(3))
np.expand_dims(np.zeros(3), 0)
np.where(np.arange(3) > 1, 1.0, 0.0)
np.clip(np.zeros(3, dtype=np.float32), 0, 1)
np.zeros(3).astype(np.float32)
torch.zeros(2, 3).numpy()
""".strip().splitlines()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What is known of the tensor that each expression becomes, by line."""
    lines = ["import numpy as np", "import torch", "from shapecheck import reveal_shape"]
    lines += [f"reveal_shape(torch.from_numpy({one}))" for one in EXPRESSIONS]
    path = tmp_path_factory.mktemp("arrays") / "program.py"
    path.write_text("\n".join(lines) + "\n")
    return {one.line - 4: one.message for one in check([path])}


@pytest.mark.parametrize("index", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_shape_and_dtype_are_those_of_numpy(index: int, told: dict[int, str]) -> None:
    np = pytest.importorskip("numpy")
    torch = pytest.importorskip("torch")
    real = torch.from_numpy(eval(EXPRESSIONS[index], {"np": np, "torch": torch}))
    assert told[index] == f"{real.dtype} {tuple(real.shape)}"


def test_a_reduction_over_an_unknown_axis_has_an_unknown_shape(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import numpy as np\n"
        "import torch\n"
        "def total(axis: int) -> torch.Tensor:\n"
        "    x = torch.from_numpy(np.zeros((3, 5)).sum(axis=axis))\n"
        "    return torch.nn.Linear(4, 2)(x)\n"
    )
    assert not list(check([path]))


def test_a_permutation_of_a_symbolic_number_is_a_vector(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import numpy as np\n"
        "import torch\n"
        "from shapecheck import reveal_shape\n"
        "def order(n: int) -> None:\n"
        "    reveal_shape(torch.from_numpy(np.random.permutation(n)))\n"
        "    reveal_shape(torch.from_numpy(np.random.choice(n, size=3)))\n"
    )
    assert [one.message for one in check([path])] == ["torch.int64 (n,)", "torch.int64 (3,)"]
