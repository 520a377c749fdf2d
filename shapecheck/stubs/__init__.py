"""Generates the partial stub package that types every call of an nn.Module from its forward.

`interpreter` finds the installed torch without importing it, `skeleton` turns a file of its source into a stub (with
`results` for the results the source leaves to inference, `declared` for attributes set inside methods, `call` for what
`nn/modules/module.py` gets), `patching` applies the changes of `patches` and `flags` to other files, `package` collects
the files, and `placing` writes, checks and removes them.
Standard library only: no torch, no copy of torch's source.
"""

from shapecheck.stubs.interpreter import Installed, StubsError, find_torch
from shapecheck.stubs.package import StubPackage, make_package
from shapecheck.stubs.placing import State, remove, state, write

__all__ = ["Installed", "State", "StubPackage", "StubsError", "find_torch", "make_package", "remove", "state", "write"]
