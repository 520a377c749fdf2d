"""What is true of an operator or a layer in addition to its rule, declared where the rule is registered."""

from __future__ import annotations

from enum import Flag, auto


class Trait(Flag):
    """Traits of operators and layers; `lookup.names_with` gives the names that have some."""

    __hash__ = object.__hash__  # that of Enum is written in Python, and each call of an operator looks traits up

    NUMBER_OPERANDS = auto()
    """Arithmetic or a comparison whose result does not depend on which float is combined with a tensor."""
    PROMOTES_DTYPES = auto()
    """Arithmetic that promotes the dtypes of its operands, and is easily written without noticing it."""
    AUTOCAST = auto()
    """`torch.autocast` runs it in lower precision."""
    ONE_DEVICE = auto()
    """All operands must be on one device."""
    NEW_ON_DEFAULT_DEVICE = auto()
    """Makes a tensor from numbers, on the default device unless `device=` is given."""
    HAS_WEIGHTS = auto()
    """A layer that holds floating-point parameters, on whose device its input must be."""
    BATCH_FIRST = auto()
    """Treats the first dimension of its input as the batch."""
    KEEPS_AXES = auto()
    """The result has the dimensions of the first argument, one by one."""
    KEEPS_MAXIMUM = auto()
    """The largest element of the result is that of the first argument."""
    RESHAPES = auto()
    """Arranges the elements in other dimensions, possibly one of size 1."""
    FOR_BROADCASTING = auto()
    """Written to make a tensor broadcast: the dimensions of size 1 in the result are deliberate."""
    SHAPE_OF_INDEX = auto()
    """The result has the shape of the index."""
    TAKES_SIZES = auto()
    """The numbers among the arguments are sizes of the result."""
    TENSOR_FIRST = auto()
    """The first argument of the function is a tensor."""
    JOINS = auto()
    """Joins a list of tensors."""
    SPLITS = auto()
    """Gives several tensors; how many may depend on sizes or on data."""
    SEVERAL_RESULTS = auto()
    """The result is a tuple or list of tensors, not a tensor."""
    RESHAPES_IN_PLACE = auto()
    """The in-place form changes the shape of the tensor itself."""
    SUM = auto()
    """A sum, difference or quotient, whose operands are rarely intended to be expanded both."""
    PAIRS = auto()
    """Another operator on several tensors, element by element, which may be intended for all pairs: a product."""
    REDUCES = auto()
    """Removes the dimension `dim`, unless `keepdim` is true."""
    BROADCASTING_LOSS = auto()
    """A loss that broadcasts its two inputs to each other."""
    MOVES_AXES = auto()
    """Puts the dimensions in another order, and changes nothing else."""


NO_TRAITS = Trait(0)
