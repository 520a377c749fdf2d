"""What a statement does: one function for each kind of node, entered in `table`.

Imports and registries are included. Not here: values of expressions (`expressions`), what a condition says about values
(`narrowing`).
"""
