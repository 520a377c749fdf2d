"""Runs one case in several processes that form a process group, and compares what each of them did.

`launch` starts the processes through `torchrun`'s launcher. `process` runs in each of them, `watch` records its
collectives, `shards` its tensors. `judge` compares the records of all.
"""
