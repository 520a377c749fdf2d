"""`[tool.shapecheck]` of pyproject.toml as one typed object.

`model` is that object, `load` finds and reads the file, `table` checks one table of it, `keys` says which keys there
are, `values` what a key may hold.
"""

from shapecheck.config.keys import SELECTABLE, STYLES
from shapecheck.config.load import load_config
from shapecheck.config.model import CaseConfig, CheckConfig, Config, FixConfig, GuardConfig, PathConfig, RunConfig
from shapecheck.config.table import ConfigError
from shapecheck.config.values import DEVICE, parse_bytes

__all__ = [
    "DEVICE",
    "SELECTABLE",
    "STYLES",
    "CaseConfig",
    "CheckConfig",
    "Config",
    "ConfigError",
    "FixConfig",
    "GuardConfig",
    "PathConfig",
    "RunConfig",
    "load_config",
    "parse_bytes",
]
