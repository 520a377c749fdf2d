"""The classes of torch.distributions, and how their parameters determine shapes."""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec import DType
from shapecheck.spec.dtype import int64


class DistributionClass(NamedTuple):
    """One class of torch.distributions.

    `parameters` are their names in order; with `either`, exactly one of them must be passed. `events` is the number of
    trailing axes of the parameters that form an event. With `indices`, the last axis enumerates the classes.
    """

    parameters: tuple[str, ...]
    either: bool = False
    events: int = 0
    indices: bool = False
    sampled: DType | None = None


_PROBABILITIES = ("probs", "logits")
_LOCATED = DistributionClass(("loc", "scale"))

KINDS: dict[str, DistributionClass] = {
    "Normal": _LOCATED,
    "Laplace": _LOCATED,
    "Cauchy": _LOCATED,
    "Gumbel": _LOCATED,
    "LogNormal": _LOCATED,
    "HalfNormal": DistributionClass(("scale",)),
    "HalfCauchy": DistributionClass(("scale",)),
    "Uniform": DistributionClass(("low", "high")),
    "Beta": DistributionClass(("concentration1", "concentration0")),
    "Gamma": DistributionClass(("concentration", "rate")),
    "Exponential": DistributionClass(("rate",)),
    "Chi2": DistributionClass(("df",)),
    "StudentT": DistributionClass(("df", "loc", "scale")),
    "Pareto": DistributionClass(("scale", "alpha")),
    "Weibull": DistributionClass(("scale", "concentration")),
    "VonMises": DistributionClass(("loc", "concentration")),
    "Poisson": DistributionClass(("rate",)),
    "Bernoulli": DistributionClass(_PROBABILITIES, either=True),
    "ContinuousBernoulli": DistributionClass(_PROBABILITIES, either=True),
    "Geometric": DistributionClass(_PROBABILITIES, either=True),
    "Categorical": DistributionClass(_PROBABILITIES, either=True, indices=True, sampled=int64),
    "OneHotCategorical": DistributionClass(_PROBABILITIES, either=True, events=1),
    "Dirichlet": DistributionClass(("concentration",), events=1),
}
