"""What a model costs: operations, bytes, memory and time, against what a device can do.

`cost` combines the other modules: `devices` is the table of devices, `memory` the use of memory, `tokens` the
cross-check by parameters and tokens, `alignment` sizes that tensor cores pad, `timing` the time of a forward. What
is unknown is None.
"""

from shapecheck.harness.cost.cost import Training, cost_of, in_training

__all__ = ["Training", "cost_of", "in_training"]
