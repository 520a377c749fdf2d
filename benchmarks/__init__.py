"""One command per claim in the README, and `python -m benchmarks` for all of them: `registry` says what there is.

Claims are ratios of medians, measured side by side in one run; `--save` keeps a run's figures in the machine's file in
`benchmarks/results/`. Other people's code is only ever read: what is fixed is a copy in a temporary folder.
"""
