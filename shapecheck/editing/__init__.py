"""Open documents that are checked after each edit, and the shapes in them, for editors and the playground.

`files` keeps what an edit does not change from one check to the next. `hints` has the shapes of a document, `hint` one
of them. `line_map` finds lines again after an edit. None needs a configuration or another package.
"""
