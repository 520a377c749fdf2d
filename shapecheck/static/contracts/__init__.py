"""Contracts: shape annotations of arguments, results, fields and assignments, with the semantics of jaxtyping.

`annotation_reader` parses an annotation into a type (`annotation_types`), `name_resolution` resolves its names,
`matching` matches a value against a type, `instantiation` instantiates one; `contract` is the signature of a function,
`checked_call` one call of it. Not here: parsing axis strings (`spec`), checks at run time (`runtime`).
"""

from shapecheck.static.contracts.checked_call import check_call
from shapecheck.static.contracts.contract import contract_of

__all__ = ["check_call", "contract_of"]
