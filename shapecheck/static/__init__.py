"""Reads source and runs it on abstract values: shapes, dtypes and layouts instead of tensors.

`check` is the way in. `loading` finds and parses modules, `entry` decides what is run. `expressions`, `statements`,
`functions` and `classes` say what a piece of Python does; `library`, `arrays`, `distributions` and `nn` know libraries,
and `torch_calls` asks `ops` about operators and layers. `narrowing` learns from conditions, `contracts` from
annotations, `provenance` tells where values come from, `observing` what was understood. Nothing that is read is run.
"""

from shapecheck.static.entry.checker import check

__all__ = ["check"]
