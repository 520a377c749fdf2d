"""`shapecheck run`: builds annotated models, makes inputs from the annotations, runs them, and reports what fails.

`results` is what a run has to say, as plain data; everything else makes it or shows it.
"""

from shapecheck.harness.cases.declared import case

__all__ = ["case"]
