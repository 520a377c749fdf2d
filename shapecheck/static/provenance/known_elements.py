"""The elements of tensors that are all the same number, as the calls that created the tensors show."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.truth import truth
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_MOST_STEPS = 12
_FILLED = {
    **dict.fromkeys(("zeros", "zeros_like", "new_zeros"), 0),
    **dict.fromkeys(("ones", "ones_like", "new_ones"), 1),
}
_VALUE_OF_FULL = {"full": 1, "full_like": 1, "new_full": 2}
"""The position of the number among the arguments."""
_KEEPING = frozenset(
    """
    clone contiguous detach to type type_as float double half bfloat16 long int reshape view expand squeeze unsqueeze
    permute transpose flatten __getitem__ any all amax amin max min mean repeat cpu cuda
    """.split()
)
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    **{
        symbol: function
        for names, function in (
            (("!=", "ne"), operator.ne),
            (("==", "eq"), operator.eq),
            ((">", "gt"), operator.gt),
            ((">=", "ge"), operator.ge),
            (("<", "lt"), operator.lt),
            (("<=", "le"), operator.le),
        )
        for symbol in names
    }
}


def truth_of(run: Run, value: Value) -> bool | None:
    """The truth of a condition; of a tensor, if origins are recorded and show its elements."""
    if not isinstance(value, TensorSpec) or not run.origins.noted:
        return truth(value)
    element = _element(run, value, _MOST_STEPS)
    return None if element is None else bool(element)


def _element(run: Run, value: Value, steps: int) -> float | None:
    """The number that all elements of a tensor are, or a number itself; None if unknown."""
    if isinstance(value, (bool, int, float)):
        return value
    made = (
        run.origins.of_tensor(value)
        if isinstance(value, TensorSpec) and not run.origins.is_overwritten(value)
        else None
    )
    if made is None or not steps:
        return None
    name = made.callee if made.callee in _COMPARISONS else short_name(made.callee)
    if name in _FILLED:
        return _FILLED[name]
    if name in _VALUE_OF_FULL:
        return _element(run, _argument(made, _VALUE_OF_FULL[name], "fill_value"), steps - 1)
    if name == "__getitem__" and (padding := _padding(run, made)) is not None:
        return padding
    elements = [_element(run, one, steps - 1) for one in made.args[:2]]
    if not elements or elements[0] is None:
        return None
    if name in _COMPARISONS:
        other = elements[-1]
        return None if len(elements) < 2 or other is None else _COMPARISONS[name](elements[0], other)
    return elements[0] if name in _KEEPING else None


def _argument(made: TensorOrigin, position: int, name: str) -> Value:
    return made.args[position] if len(made.args) > position else made.kwargs.get(name)


def _padding(run: Run, made: TensorOrigin) -> float | None:
    """The number that pads the part of the last dimension which `x[..., 4]` selects; None if it selects another."""
    whole, key = made.args[0], made.args[1] if len(made.args) > 1 else None
    padded = run.origins.of_tensor(whole) if isinstance(whole, TensorSpec) else None
    if padded is None or short_name(padded.callee) != "pad" or type(key) is not tuple or len(key) != 2:
        return None
    widths, mode = _widths(_argument(padded, 1, "pad")), _argument(padded, 2, "mode")
    size = whole.shape.at(-1) if isinstance(whole, TensorSpec) and whole.rank != 0 else None
    if key[0] is not ... or type(key[1]) is not int or type(size) is not int or mode not in (None, "constant"):
        return None
    index = key[1] % size if size else 0
    if not widths or widths[0] <= index < size - widths[1]:
        return None
    number = _argument(padded, 3, "value")
    return 0 if number is None else _element(run, number, 1)


def _widths(given: Value) -> Sequence[int]:
    """The numbers of elements added before and after along the last dimension; empty if unknown."""
    items = given if type(given) is tuple else given.items if isinstance(given, ListValue) else ()
    widths = [one for one in items[:2] if type(one) is int]
    return widths if len(widths) == 2 else ()
