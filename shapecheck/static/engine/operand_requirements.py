"""Operand requirements: the rank and the sizes that operators and layers require of their input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Dim, Shape, Size, TensorSpec, unknown
from shapecheck.spec.variadic_axes import VariadicAxes
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.sizes import is_positive_size

Axes = tuple["Size | str", ...]


class OperandRequirement(NamedTuple):
    """The axes that an input must have: each a size, or a name for an unknown one."""

    axes: Axes | None = None
    """All axes; None if the rank is not determined."""
    tail: Axes = ()
    """The trailing axes, if `axes` is None."""
    may_lack_batch: bool = False
    """Whether torch also accepts an input without the first axis."""


def with_requirement(known: Shape | None, requirement: OperandRequirement, *, batched: bool) -> Shape | None:
    """A known shape refined by a requirement; None if they contradict each other."""
    if requirement.axes is None:
        return _with_tail(known, requirement.tail)
    axes = requirement.axes if batched or not requirement.may_lack_batch else requirement.axes[1:]
    if known is None:
        return Shape(_sizes(axes))
    hidden = len(axes) - known.least_rank
    if hidden < 0:
        return None
    middle = axes[len(known.head) : len(known.head) + hidden]
    return Shape((*known.head, *_sizes(_without_known(middle, known)), *known.tail))


def _without_known(axes: Axes, known: Shape) -> Axes:
    """The axes, but unknown where a size is that the shape has elsewhere: it may be transposed."""
    taken = {one for one in (*known.head, *known.tail) if isinstance(one, Dim)}
    return tuple("t" if one in taken else one for one in axes)


def _with_tail(known: Shape | None, tail: Axes) -> Shape:
    """A shape refined by the sizes of its trailing axes."""
    if known is None:
        return Shape((), VariadicAxes(), _sizes(tail))
    missing = len(tail) - len(known.tail)
    if missing <= 0 or known.run is None:
        return known
    head = known.head[: max(len(known.head) - missing, 0)]  # one of the others may be one of the trailing axes
    return Shape(head, VariadicAxes(), (*_sizes(tail[:missing]), *known.tail))


def _sizes(axes: Axes) -> tuple[Size, ...]:
    return tuple(unknown(one, low=0) if isinstance(one, str) else one for one in axes)


_SPATIAL = {1: ("l",), 2: ("h", "w"), 3: ("d", "h", "w")}
_IMAGE = lazy_pattern(
    r"(?:Lazy)?(?:Conv|ConvTranspose|MaxPool|AvgPool|AdaptiveAvgPool|AdaptiveMaxPool|LPPool|InstanceNorm"
    r"|ReflectionPad|ReplicationPad)([123])d"
    r"|(?:conv|conv_transpose|max_pool|avg_pool|adaptive_avg_pool|adaptive_max_pool|lp_pool|instance_norm)([123])d"
)
_BATCHED_IMAGE = lazy_pattern(r"(?:Lazy)?BatchNorm([23])d")
_CHANNELS = ("in_channels", "num_features")
_Rule = Callable[[str | ModuleSpec, tuple[Value, ...], Mapping[str, Value]], "OperandRequirement | None"]


def requirement_of(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    """The requirement of an operator or a layer on its first argument; None if it does not determine any axes."""
    short = name.rpartition(".")[2] if isinstance(name, str) else name.name
    if isinstance(name, str) and short[:1].isupper():
        return None  # the layer is built, not called
    image = _IMAGE.fullmatch(short)
    if image is not None:
        channels = _channels(name, args)
        return OperandRequirement(("n", channels, *_SPATIAL[int(image[1] or image[2])]), may_lack_batch=True)
    batched = _BATCHED_IMAGE.fullmatch(short)
    if batched is not None:
        return OperandRequirement(("n", _channels(name, args), *_SPATIAL[int(batched[1])]))
    rule = _RULES.get(short)
    return None if rule is None else rule(name, args, kwargs)


def takes_tensor(name: str | ModuleSpec) -> bool:
    """Whether its first argument is a tensor."""
    if isinstance(name, ModuleSpec):
        return name.name != "Identity"
    if name.startswith(("torch.nn.functional.", "Tensor.", "einops.")):
        return True
    return name.removeprefix("torch.").removeprefix("torch_einops_utils.") in names_with(Trait.TENSOR_FIRST)


def _channels(name: str | ModuleSpec, args: tuple[Value, ...]) -> Size | str:
    """The size of the channel axis."""
    for attribute in _CHANNELS:
        found = getattr(name, attribute, None)
        if (type(found) is int and found > 0) or isinstance(found, Dim):
            return found
    return "c"


def _last_axis(attribute: str) -> _Rule:
    def rule(name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> OperandRequirement | None:
        size: Value = getattr(name, attribute, None)
        return OperandRequirement(tail=(size,)) if is_positive_size(size) else None

    return rule


def _of_weight(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    weight = args[1] if len(args) > 1 else kwargs.get("weight")
    if isinstance(weight, TensorSpec) and weight.rank == 2:
        return OperandRequirement(tail=(weight.dims[1],))
    return None


def _normalized(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    if isinstance(name, ModuleSpec):
        shape = getattr(name, "normalized_shape", None)
    else:
        shape = args[1] if len(args) > 1 else kwargs.get("normalized_shape")
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    return OperandRequirement(tail=tuple(sizes)) if all(map(is_positive_size, sizes)) else None


def _permuted(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    order = args[1] if len(args) == 2 and isinstance(args[1], tuple) else args[1:]
    if not order or not all(type(one) is int for one in order):
        return None
    return OperandRequirement(tuple("nchw"[axis] if len(order) == 4 else f"d{axis}" for axis in range(len(order))))


def _resampled(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    mode = getattr(name, "mode", None) if isinstance(name, ModuleSpec) else kwargs.get("mode")
    return OperandRequirement(("n", "c", "h", "w")) if mode in ("bilinear", "bicubic") else None


def _sequence_of(attribute: str) -> _Rule:
    """A layer for sequences whose items have the size in an attribute."""

    def rule(name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> OperandRequirement | None:
        size: Value = getattr(name, attribute, None)
        is_batched = getattr(name, "batch_first", False) is True  # where the batch is first, there is one
        axes: Axes = ("n", "t") if is_batched else ("t", "n")
        return OperandRequirement((*axes, size), may_lack_batch=not is_batched) if is_positive_size(size) else None

    return rule


def _recurrent(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    """A recurrent layer: with a state (layers, size), its input has no batch."""
    requirement = _sequence_of("input_size")(name, args, kwargs)
    state = args[1] if len(args) > 1 else kwargs.get("hx")
    states = state if isinstance(state, tuple) else (state,)
    is_single = any(isinstance(one, TensorSpec) and one.rank == 2 for one in states)
    if requirement is None or requirement.axes is None or not is_single:
        return requirement
    return OperandRequirement(("t", *requirement.axes[-1:]))


_OF_ATTENTION = (("query", "embed_dim"), ("key", "kdim"), ("value", "vdim"))


def requirements_of_attention(
    layer: ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> Iterator[tuple[Value, OperandRequirement]]:
    """What an attention layer requires of queries, keys and values; nothing for another layer."""
    if type(layer).__name__ == "MultiheadAttention":
        for index, (parameter, attribute) in enumerate(_OF_ATTENTION):
            value = args[index] if index < len(args) else kwargs.get(parameter)
            requirement = _sequence_of(attribute)(layer, args, kwargs)
            if requirement is not None:
                yield value, requirement


def _attended(
    name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]
) -> OperandRequirement | None:
    """A layer of a transformer: what its attention requires."""
    attention = getattr(name, "self_attn", None)
    return _sequence_of("embed_dim")(attention, args, kwargs) if isinstance(attention, ModuleSpec) else None


def _padded(name: str | ModuleSpec, args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> OperandRequirement | None:
    """Pads by reflection and the like: the number of pads determines the rank."""
    mode = args[2] if len(args) > 2 else kwargs.get("mode", "constant")
    pads = args[1] if len(args) > 1 else kwargs.get("pad")
    count = len(pads) // 2 if type(pads) is tuple else 0
    if mode not in ("reflect", "replicate", "circular") or count not in _SPATIAL:
        return None
    return OperandRequirement(("n", "c", *_SPATIAL[count]), may_lack_batch=True)


_RULES: dict[str, _Rule] = {
    "Linear": _last_axis("in_features"),
    "linear": _of_weight,
    "LayerNorm": _normalized,
    "RMSNorm": _normalized,
    "layer_norm": _normalized,
    "rms_norm": _normalized,
    "LSTM": _recurrent,
    "GRU": _recurrent,
    "RNN": _recurrent,
    "MultiheadAttention": _sequence_of("embed_dim"),
    "TransformerEncoderLayer": _attended,
    "TransformerDecoderLayer": _attended,
    "pad": _padded,
    "permute": _permuted,
    "Upsample": _resampled,
    "interpolate": _resampled,
}
