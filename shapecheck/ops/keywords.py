"""Further names of arguments that torch accepts, with those of the rules: `axis=` for `dim=`, `x=` for `input=`."""

from __future__ import annotations

from typing import Any, Final

from shapecheck.ops.registry import Entry

_FIRST: Final = frozenset("input x x1 a".split())
"""What torch also calls an argument whose name is `input`."""
_WITH_INPUT: Final = frozenset(
    """
    cholesky_solve dequantize linalg.cholesky linalg.cholesky_ex linalg.cond linalg.eig linalg.eigh linalg.eigvals
    linalg.eigvalsh linalg.ldl_factor linalg.ldl_factor_ex linalg.matrix_rank linalg.pinv linalg.tensorinv
    linalg.tensorsolve matrix_exp matrix_power
    """.split()
)
"""The operators whose first argument has this name, but another one in the documentation and in the rule."""
_NUMPY_WORDS: Final = {"axis": "dim", "keepdims": "keepdim", "x2": "other"}
_ROWS: Final = {"crow_indices": "compressed_indices", "col_indices": "plain_indices"}
_COLUMNS: Final = {"ccol_indices": "compressed_indices", "row_indices": "plain_indices"}
_OF_OPERATOR: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(("sparse_csr_tensor", "sparse_bsr_tensor"), _ROWS),
    **dict.fromkeys(("sparse_csc_tensor", "sparse_bsc_tensor"), _COLUMNS),
    "cholesky_solve": {"input2": "L"},
    "linalg.householder_product": {"input2": "tau"},
    "ormqr": {"input2": "tau", "input3": "other"},
    "linalg.tensorsolve": {"other": "B"},
    "polygamma": {"x": "input", "a": "input"},
    "special.polygamma": {"x": "input", "a": "input"},
    "isin": {"element": "elements", "test_element": "test_elements"},
    "result_type": {"tensor": "tensor1", "other": "tensor2"},
    "tensor_split": {"tensor_indices_or_sections": "indices_or_sections"},
    "from_numpy": {"ext_tensor": "array"},
}
"""What torch calls arguments of one operator, although its documentation calls some of them as the rule does."""


def in_own_words(entry: Entry, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments of a call under the names of the parameters of a rule."""
    parameters = entry.signature.parameters
    if kwargs.keys() <= parameters.keys():
        return kwargs
    words = _NUMPY_WORDS | _OF_OPERATOR.get(entry.name, {})
    first = next(iter(parameters), "")
    if (first == "input" or entry.name in _WITH_INPUT) and not isinstance(entry.function, type):
        words |= dict.fromkeys(_FIRST - parameters.keys(), first)
    if entry.name.startswith("special."):
        words["n"] = "other"
    known = {name: own for name, own in words.items() if own in parameters and name not in parameters}
    return {known.get(name, name): value for name, value in kwargs.items()}
