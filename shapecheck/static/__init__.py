"""Reads source and runs it on abstract values: shapes, dtypes and layouts instead of tensors.

`check` is the way in. `loading` finds and parses modules, `entry` decides what is run, `expressions`, `statements`,
`functions` and `classes` say what a piece of Python does, `torch_calls` asks `ops` about operators and layers. Nothing
that is read is executed.
"""

from shapecheck.static.entry import check

__all__ = ["check"]
