"""The checks that run on a case after its reference run, one module per check, found by scanning the directory.

A check registers itself in the `table` with the devices on which it can run. It takes a `CheckContext`, and yields
diagnostics; it raises Skip with the reason if it does not apply.
"""
