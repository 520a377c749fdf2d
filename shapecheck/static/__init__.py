"""Reads source and runs it on abstract values: shapes, dtypes and layouts instead of tensors.

`check` is the entry point. `engine` loads modules and holds the state of a run, `entry` decides what is evaluated.
`expressions`, `statements` and `calls` evaluate Python, `models` contains the libraries, and `operators` evaluates
calls of torch by the rules of `ops`. `narrowing` learns from conditions, `contracts` from annotations, `rules` reports
likely mistakes, `provenance` finds where values come from, and `observing` measures what was inferred. The checked
code is never run.
"""

from shapecheck.static.entry.checker import check

__all__ = ["check"]
