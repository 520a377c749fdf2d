"""Calls of functions, classes, methods, built-ins and wrappers; attribute access; decorators.

`call` dispatches on the kind of the callee, `functions` runs bodies in a frame of their own, `classes` creates
instances, `attributes` looks attributes up. Not here: models of library functions (`models`), PyTorch operators
(`operators`), evaluation of call expressions (`expressions`).
"""
