"""One command per claim in the README: `python -m benchmarks.start`, `.fix`, `.real_repos`, `.mypy_plugin`.

Claims are ratios of medians, measured side by side in one run; `--save` keeps a run's figures in `benchmarks/results/`.
Other people's code is only ever read: what is fixed is a copy in a temporary folder.
"""
