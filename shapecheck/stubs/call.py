"""The one addition to torch's own text: `Module.__call__` has the parameters and the result of forward.

It is an alias of a function and not a method: for pyright, a class with its own `__call__` (written by the user or by
`shapecheck fix`) would override a declared method incompatibly, because no explicit signature covers a ParamSpec. A
name without a declared type may be overridden by anything. With a descriptor, pyright would not accept a Module as a
Callable, and mypy would exceed the recursion limit.
"""

from __future__ import annotations

# From typing_extensions: a checker set to an old Python finds them there too. Not re-exported: they are not torch's.
IMPORTS = "from collections.abc import Generator\nfrom typing_extensions import ParamSpec, Protocol"

PROTOCOLS = """\
_P = ParamSpec("_P")
_R_co = TypeVar("_R_co", covariant=True)

class HasForward(Protocol[_P, _R_co]):
    def forward(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...

def _call_forward(self: HasForward[_P, _R_co], *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
"""

ATTRIBUTE = "__call__ = _call_forward"
