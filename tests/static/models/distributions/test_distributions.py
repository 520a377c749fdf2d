"""What torch.distributions gives, held against torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

EXPRESSIONS = """
D.Normal(torch.zeros(8, 2), 1.0).sample()
D.Normal(torch.zeros(8, 1), torch.ones(3)).rsample()
D.Normal(torch.zeros(8, 2), 1.0).log_prob(torch.zeros(2))
D.Normal(torch.zeros(8, 2), 1.0).entropy()
D.Categorical(logits=torch.zeros(8, 3)).sample()
D.Categorical(logits=torch.zeros(8, 3)).sample((5,))
D.Categorical(torch.ones(8, 3)).log_prob(torch.zeros(8))
D.Bernoulli(logits=torch.zeros(8)).sample()
D.Beta(0.4, 0.4).sample((5,))
D.Dirichlet(torch.ones(8, 3)).log_prob(torch.ones(8, 3) / 3)
D.Independent(D.Normal(torch.zeros(8, 2), 1.0), 1).log_prob(torch.zeros(8, 2))
D.Independent(D.Normal(torch.zeros(8, 2), 1.0), 1).mean
D.MultivariateNormal(torch.zeros(4, 3), torch.eye(3)).log_prob(torch.zeros(4, 3))
D.OneHotCategorical(logits=torch.zeros(8, 3)).sample()
D.kl_divergence(D.Normal(torch.zeros(8, 2), 1.0), D.Normal(0.0, 1.0))
""".strip().splitlines()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What is known of each expression, by line."""
    lines = ["import torch", "import torch.distributions as D", "from shapecheck import reveal_shape"]
    lines += [f"reveal_shape({one})" for one in EXPRESSIONS]
    path = tmp_path_factory.mktemp("distributions") / "program.py"
    path.write_text("\n".join(lines) + "\n")
    return {one.line - 4: one.message for one in check([path])}


@pytest.mark.parametrize("index", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_shape_and_dtype_are_those_of_torch(index: int, told: dict[int, str]) -> None:
    torch = pytest.importorskip("torch")
    real = eval(EXPRESSIONS[index], {"D": torch.distributions, "torch": torch})
    assert told[index] == f"{real.dtype} {tuple(real.shape)}"


def test_a_value_that_does_not_fit_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\ntorch.distributions.Normal(torch.zeros(8, 2), 1.0).log_prob(torch.zeros(8))\n")
    ((line, code),) = [(one.line, one.code) for one in check([path])]
    assert (line, code) == (2, "shape-mismatch")


@pytest.mark.parametrize("call", ["normal.sample(size=3)", "D.Independent(normal, axes=1)"])
def test_an_argument_that_does_not_exist_is_no_internal_error(tmp_path: Path, call: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        f"import torch\nimport torch.distributions as D\nnormal = D.Normal(torch.zeros(3), torch.ones(3))\n{call}\n"
    )
    assert not list(check([path]))
