"""Whether checks are enabled: `SHAPECHECK=0`, or `runtime = false` in pyproject.toml."""

from __future__ import annotations

import os
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.config import Config

_OFF = frozenset(("0", "false", "off", "no"))


def enabled() -> bool:
    """Whether to check a function that is being decorated: the environment first, then the configuration."""
    said = os.environ.get("SHAPECHECK")
    return configured().runtime if not said else said.strip().lower() not in _OFF


@lru_cache(maxsize=1)
def configured() -> Config:
    """The configuration of the working directory, read once per process; the default if it cannot be used."""
    from shapecheck.config import Config, ConfigError, load_config  # noqa: PLC0415 - reads a file

    try:
        return load_config(Path.cwd())
    except ConfigError as wrong:
        # A wrong key for the linter must not prevent a training run from starting.
        warnings.warn(f"runtime checks are on: {wrong}", stacklevel=3)
    except OSError:
        pass
    return Config(root=Path.cwd())
