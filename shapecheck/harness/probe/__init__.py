"""Watching one run of a model: what each module takes, gives and costs, and what each line copies or waits for.

`probe` is the context manager. `tree` knows which module runs, `watch` sees the operators below autograd, `plans` says
what is to be done for each of them: `flops` and `moved` count, `looks` finds what a line does. `transfers` sees what
calls no operator; `paths` and `records` make the tables. `profiled` looks inside the operators, with torch's profiler.
"""

from shapecheck.harness.probe.probe import Probe
from shapecheck.harness.probe.profiled import Profiled

__all__ = ["Probe", "Profiled"]
