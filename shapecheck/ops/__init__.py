"""Shape rules: the effect of each PyTorch operator on tensor specifications.

`rules` contains one file per family of operators, `modules` one per family of layers, `registry` the table in which
they are registered, `names` the spellings of an operator, `traits` further properties of operators, `lookup` the names
that have a trait, and `infer` applies a rule. Imports only `spec`.
"""

from shapecheck.ops.assumptions import Assumption, assuming
from shapecheck.ops.infer import find, infer
from shapecheck.ops.lookup import layers_with, names_with
from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.tensor_arguments import tensor_arguments
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
    "tensor_arguments",
]
