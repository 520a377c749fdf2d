"""What an expression gives: one function for each kind of node, entered in `table`.

Not here: what a call does once function and arguments are evaluated (`calls`), binding a target (`statements`).
"""
