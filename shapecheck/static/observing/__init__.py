"""Observes a run: how precise the value of each expression is, and why others are unknown.

`observer` keeps the most precise value of each expression; `statistics` counts for `--stats`, with
`forward_functions`, `tensor_expressions` and `unentered_branches` for what follows from the source alone; `shapes` is
for `--show-shapes`. Not here: anything that changes the findings of a run.
"""
