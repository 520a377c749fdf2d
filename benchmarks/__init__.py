"""One command per claim in the README, and `python -m benchmarks` for all of them; `registry` lists them.

Claims are ratios of medians, measured side by side in one run; `--save` keeps a run's figures in the machine's file in
`benchmarks/results/`. Public repositories are only read; `fix` changes a copy in a temporary directory.
"""
