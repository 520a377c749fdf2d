"""Shape rules: what each PyTorch operator does to tensor specifications.

`rules` holds one file per family of operators, `modules` one per family of layers, `registry` the table they enter
themselves into, `names` the spellings of an operator, and `infer` the one public function. Imports only `spec`.
"""

from shapecheck.ops.assumptions import Assumption, assuming
from shapecheck.ops.infer import find, infer
from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.unknown import UNKNOWN, Other, Unknown

__all__ = ["UNKNOWN", "Assumption", "ModuleSpec", "Other", "Unknown", "assuming", "find", "infer"]
