"""What a model costs: operations, bytes, memory and time, against what a device can do.

`cost` puts together what the others find: `devices` is the table of devices, `memory` what lies in memory, `tokens` the
cross-check by parameters and tokens, `alignment` sizes that tensor cores pad, `timing` how long a forward takes. What
cannot be known is None.
"""

from shapecheck.harness.cost.cost import cost_of

__all__ = ["cost_of"]
