"""The distributions of torch, by what their parameters mean for shapes."""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec import DType
from shapecheck.spec.dtype import int64


class Kind(NamedTuple):
    """One class of torch.distributions.

    parameters: their names in order; those of `either` are alternatives of which one is given.
    events: how many of the last axes of the parameters are one event. `indices`: the last axis counts the classes.
    """

    parameters: tuple[str, ...]
    either: bool = False
    events: int = 0
    indices: bool = False
    sampled: DType | None = None


_PROBABILITIES = ("probs", "logits")
_LOCATED = Kind(("loc", "scale"))

KINDS: dict[str, Kind] = {
    "Normal": _LOCATED,
    "Laplace": _LOCATED,
    "Cauchy": _LOCATED,
    "Gumbel": _LOCATED,
    "LogNormal": _LOCATED,
    "HalfNormal": Kind(("scale",)),
    "HalfCauchy": Kind(("scale",)),
    "Uniform": Kind(("low", "high")),
    "Beta": Kind(("concentration1", "concentration0")),
    "Gamma": Kind(("concentration", "rate")),
    "Exponential": Kind(("rate",)),
    "Chi2": Kind(("df",)),
    "StudentT": Kind(("df", "loc", "scale")),
    "Pareto": Kind(("scale", "alpha")),
    "Weibull": Kind(("scale", "concentration")),
    "VonMises": Kind(("loc", "concentration")),
    "Poisson": Kind(("rate",)),
    "Bernoulli": Kind(_PROBABILITIES, either=True),
    "ContinuousBernoulli": Kind(_PROBABILITIES, either=True),
    "Geometric": Kind(_PROBABILITIES, either=True),
    "Categorical": Kind(_PROBABILITIES, either=True, indices=True, sampled=int64),
    "OneHotCategorical": Kind(_PROBABILITIES, either=True, events=1),
    "Dirichlet": Kind(("concentration",), events=1),
}
