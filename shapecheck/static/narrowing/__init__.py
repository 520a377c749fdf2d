"""Narrows values by conditions, asserts and unpacking.

`narrow` is the entry point. `tensor_reads` finds which property of a tensor an expression reads, `tensor_rules` and
`value_rules` hold one small rule for each comparison, `tensor_facts` refines a tensor, and `references` reads places
and writes them back. `asserts` reports conditions that never hold, `shape_names` refines by `b, t, c = x.shape`.
Not here: evaluating the branches (`statements`) and path constraints (`engine.path_constraints`).
"""
