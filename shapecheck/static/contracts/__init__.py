"""Annotations of shapes: arguments, results, fields and annotated assignments, read as jaxtyping means them.

`annotation_reader` turns an annotation into a small tree (`annotation_types`), `name_resolution` finds what its names
mean, `matching` holds a value against a type, `instantiation` makes a value of one; `contract` is the signature of a
function, `checked_call` one call of it. Not here: parsing axis strings (`spec`), checks at run time (`runtime`).
"""

from shapecheck.static.contracts.checked_call import check_call
from shapecheck.static.contracts.contract import contract_of

__all__ = ["check_call", "contract_of"]
