"""Execution of statements: one function for each kind of node, registered in `table`.

Includes imports and registries. Not here: evaluation of expressions (`expressions`), narrowing by conditions
(`narrowing`).
"""
