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
_CallP = ParamSpec("_CallP")
_CallR_co = TypeVar("_CallR_co", covariant=True)

class HasForward(Protocol[_CallP, _CallR_co]):
    def forward(self, *args: _CallP.args, **kwargs: _CallP.kwargs) -> _CallR_co: ...

def _call_forward(self: HasForward[_CallP, _CallR_co], *args: _CallP.args, **kwargs: _CallP.kwargs) -> _CallR_co: ...
"""

ATTRIBUTE = "__call__ = _call_forward"
