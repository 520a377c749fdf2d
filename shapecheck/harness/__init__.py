"""`shapecheck run`: builds annotated models, generates inputs from the annotations, runs them and reports failures.

`results` is the result of a run as plain data; everything else produces or shows it.
"""

from shapecheck.harness.cases.declared import case

__all__ = ["case"]
