"""Checks pinned public packages and compares each finding with its recorded verdict.

`packages` reads the pins; `fetching` provides the source, from a package index (`index`, `archives`) or a repository
(`repositories`); `running` runs `check`; `verdicts` compares findings with `judged.toml`; `report` prints the results.
"""
