"""Shape rules: what each PyTorch operator does to tensor specifications.

`rules` holds one file per family of operators, `modules` one per family of layers, `registry` the table they enter
themselves into, `names` the spellings of an operator, `traits` what is true of an operator beside its rule, `lookup`
the names that have a trait, and `infer` asks a rule. Imports only `spec`.
"""

from shapecheck.ops.assumptions import Assumption, assuming
from shapecheck.ops.infer import find, infer
from shapecheck.ops.lookup import layers_with, names_with
from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import UNKNOWN, Other, Unknown

__all__ = [
    "UNKNOWN",
    "Assumption",
    "ModuleSpec",
    "Other",
    "Trait",
    "Unknown",
    "assuming",
    "find",
    "infer",
    "layers_with",
    "names_with",
]
