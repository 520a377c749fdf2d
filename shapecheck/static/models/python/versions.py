"""Versions of Python and of libraries, as tuples that compare like them."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Unknown
from shapecheck.spec import unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.values import ExternalReference

_RELEASE = lazy_pattern(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?")
TORCH = ExternalReference("torch.__version__")
_TORCH_VERSION: Value = (2, unknown("minor", low=0), unknown("micro", low=0))
"""Any torch 2."""


def version_of(version: Value) -> Value:
    """The release that a version names: three numbers."""
    if version == TORCH:
        return _TORCH_VERSION
    found = _RELEASE.match(version) if isinstance(version, str) else None
    return Unknown("an unknown version") if found is None else tuple(int(one or 0) for one in found.groups())


FUNCTIONS: dict[str, Callable[..., Value]] = dict.fromkeys(
    """
    packaging.version.parse packaging.version.Version pkg_resources.parse_version distutils.version.LooseVersion
    distutils.version.StrictVersion looseversion.LooseVersion torch.torch_version.TorchVersion
    """.split(),
    version_of,
)
