"""`[tool.shapecheck]` of pyproject.toml as one typed object.

`load` finds and reads the file, `model` has a msgspec struct per table, `values` has the types of their fields, and
`explain` creates the message for an invalid table.
"""

from shapecheck.config.load import ConfigError, load_config
from shapecheck.config.model import CaseConfig, CheckConfig, Config, FixConfig, GuardConfig, PathConfig, RunConfig
from shapecheck.config.values import DEVICE, SELECTABLE, STYLES, parse_bytes

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
