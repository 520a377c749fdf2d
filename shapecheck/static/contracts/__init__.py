"""What annotations promise: arguments, results, fields and annotated assignments, read as jaxtyping means them.

`reading` makes a small tree of types (`kinds`) of an annotation, `names` finds what its names mean; `matching` holds a
value against a type, `promising` makes a value of one; `contract` is a function's signature, `agreement` one call.
"""

from shapecheck.static.contracts.checked_call import agree
from shapecheck.static.contracts.contract import contract_of

__all__ = ["agree", "contract_of"]
