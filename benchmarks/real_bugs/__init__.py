"""Looks for bugs of public repositories in the commit before their fix, and for the same findings after it.

`bugs` reads `real_bugs.toml`; `running` fetches both commits with the code of the primer and runs `check`; `judging`
decides whether a bug is found; `report` prints the results.
"""
