"""Observers of a run: what was known of each expression, and why the rest is unknown.

`observer` keeps the best value of each expression; `statistics` counts for `--stats`, with `forward_functions`,
`tensor_expressions` and `unentered_branches` for what the source alone says; `shapes` is for `--show-shapes`. Not here:
anything that changes what a run finds.
"""
