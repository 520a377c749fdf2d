"""What is asked of a case after its reference run: one check is one small file, found by looking at the folder.

A check enters itself in the `table` with the devices on which it can be asked. It is given a `Trial` (../trial.py), and
gives diagnostics; it raises Skip with the reason where it does not apply.
"""
