"""Compares what `check` finds in one revision of shapecheck with what it finds in another.

`revisions` checks out revisions, `targets` and `packages` provide the source to check, `checking` runs `check`,
`stored` keeps results for later comparisons, and `report` prints the differences.
"""
