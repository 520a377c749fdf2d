"""Observes one run of a model: inputs, outputs and cost of each module, copies and synchronizations of each line.

`Probe` (`probe`) is the context manager. `tree` records which module runs, `mode` sees the operators below autograd,
and `operator_plans` says what to do for each of them: `flops` and `memory_traffic` count, `operator_observers` report
events of lines. `transfers` sees methods that call no operator; `paths` and `records` build the tables. `profiled`
measures inside the operators, with torch's profiler.
"""

from shapecheck.harness.probe.probe import Probe
from shapecheck.harness.probe.profiled import Profiled

__all__ = ["Probe", "Profiled"]
