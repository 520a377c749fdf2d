"""Evaluation of expressions: one function for each kind of node, registered in `table`.

Not here: calls once function and arguments are evaluated (`calls`), binding a target (`statements`).
"""
