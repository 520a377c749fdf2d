"""Observers of a run: what was known of each expression, and why the rest is unknown.

`watching` keeps the best value of each expression; `understanding` makes the figures of `--stats` of it, with
`forward_code`, `tensor_like` and `switched` for what the source alone says; `shapes` is for `--show-shapes`.
"""
