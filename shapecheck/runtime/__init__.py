"""Checks at run time: `checked` compiles the annotations of a function into plain Python that reads shape and dtype.

`contracts` reads annotations into `hints`; `write` (with `emit`, `arrays`, `symbols` and `scope`) turns them into
source, and `build` into a function; `explain` does the same work slowly, and reports what is wrong. `guards` observe
operators. torch is only imported when a guard is entered.
"""

from shapecheck.runtime.bindings import print_bindings
from shapecheck.runtime.build import source
from shapecheck.runtime.constraints import ChannelsLast, Contiguous, OnDevice
from shapecheck.runtime.decorator import checked
from shapecheck.runtime.errors import AnnotationWarning
from shapecheck.runtime.guards import guard
from shapecheck.runtime.hook import install_import_hook

__all__ = [
    "AnnotationWarning",
    "ChannelsLast",
    "Contiguous",
    "OnDevice",
    "checked",
    "guard",
    "install_import_hook",
    "print_bindings",
    "source",
]
