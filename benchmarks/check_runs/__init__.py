"""Runs of `check` of one revision of shapecheck on one directory, for the commands that compare or judge findings.

`revisions` checks out revisions, `sources` describes what is checked, `checking` runs `check`, `stored` keeps results
for later runs, and `differences` compares two results.
"""
