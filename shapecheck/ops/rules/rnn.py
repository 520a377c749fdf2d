"""Recurrent networks and their cells, as `torch.lstm` and aten declare them: with a list of weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.matching import matched
from shapecheck.spec import CallError, DType, Shape, ShapeError, Size, Unanswered
from shapecheck.spec.presentation import value_text
from shapecheck.spec.variadic_axes import VariadicAxes

LAYERS = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
"""From each kind of recurrent layer to its number of gates."""


class Sizes:
    """The sizes of a recurrent layer, and the number of layers and directions."""

    __slots__ = ("cell", "directions", "input", "layers", "out")

    def __init__(self, input: Size, cell: Size, out: Size, layers: Size, directions: Size) -> None:
        self.input = input
        self.cell = cell
        self.out = out
        self.layers = layers
        self.directions = directions

    def state(self, width: Size, batch: tuple[Size, ...]) -> Shape:
        """The shape of a hidden or cell state: (layers * directions, batch, width)."""
        return Shape((self.layers * self.directions, *batch, width))


def need_width(input: Tensor, width: Size) -> None:
    """Raises ShapeError if the last dimension of the input is not the layer's input size."""
    last = input.shape.at(-1)
    if last is not None:
        message = f"expected the last dimension of the input to be {width}, got {last} (input of shape {input.shape})"
        need_equal(last, width, message)


def sequence_output(input: Tensor, sizes: Sizes, batch_first: bool) -> tuple[Tensor, Shape, Shape]:
    """The output, and the shapes of the hidden and the cell state, for (t, b, in), (b, t, in) or (t, in)."""
    if input.rank not in (2, 3, None):
        raise ShapeError(f"expected an input of shape {order_of(batch_first)} or (t, in), got {input.shape}")
    need_width(input, sizes.input)
    output = fresh_shape(input.shape.with_at(-1, sizes.out * sizes.directions), input.dtype, input, "unknown")
    if input.rank is None:
        count = sizes.layers * sizes.directions
        return output, Shape((count,), VariadicAxes(), (sizes.out,)), Shape((count,), VariadicAxes(), (sizes.cell,))
    steps = input.dims[1 if batch_first and input.rank == 3 else 0]
    if steps == 0:
        raise ShapeError(f"expected a sequence length of at least 1, got input of shape {input.shape}")
    batch = () if input.rank == 2 else (input.dims[0 if batch_first else 1],)
    return output, sizes.state(sizes.out, batch), sizes.state(sizes.cell, batch)


def order_of(batch_first: bool) -> str:
    """The order of the dimensions of a batch."""
    return "(b, t, in)" if batch_first else "(t, b, in)"


def state_of(
    given: Any, shape: Shape, dtype: DType | None, name: str, what: str = "layers * directions, batch, size"
) -> Tensor:
    """The state after the last step; raises ShapeError or DTypeError if the initial one does not match."""
    if isinstance(given, Tensor):
        message = f"expected {name} of shape {shape} ({what}), got {given.shape}"
        shape = matched(shape, given.shape, message)
        need_same_dtype(("input", Tensor.make(Shape(), dtype)), (name, given))
    return fresh_shape(shape, dtype)


def _from_weights(params: Sequence[Tensor], gates: int, layers: Size, bidirectional: bool) -> Sizes:
    if not isinstance(params, (tuple, list)) or len(params) < 2:
        raise CallError(f"expected params to be a list of tensors (w_ih, w_hh, ...), got {value_text(params)}")
    w_ih, w_hh = params[0].dims, params[1].dims
    return Sizes(w_ih[-1], w_hh[0] // gates, w_hh[-1], layers, 2 if bidirectional else 1)


def _of_sequence(
    gates: int,
    input: Tensor,
    states: Sequence[Tensor],
    params: Sequence[Tensor],
    num_layers: Size,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    if input.rank not in (3, None):
        raise ShapeError(f"expected an input of shape {order_of(batch_first)}, got {input.shape}")
    sizes = _from_weights(params, gates, num_layers, bidirectional)
    output, *shapes = sequence_output(input, sizes, batch_first)
    return output, *_states(input, states, params, shapes)


def _of_packed(
    gates: int, data: Tensor, states: Sequence[Tensor], params: Sequence[Tensor], num_layers: Size, bidirectional: bool
) -> tuple[Tensor, ...]:
    if data.rank not in (2, None):
        raise ShapeError(f"expected data of shape (sum of lengths, in), got {data.shape}")
    sizes = _from_weights(params, gates, num_layers, bidirectional)
    need_width(data, sizes.input)
    output = fresh_shape(data.shape.with_at(-1, sizes.out * sizes.directions), data.dtype, data, "unknown")
    batch = (states[0].shape.size(1),)
    return output, *_states(data, states, params, [sizes.state(sizes.out, batch), sizes.state(sizes.cell, batch)])


def _states(
    input: Tensor, states: Sequence[Tensor], params: Sequence[Tensor], shapes: Sequence[Shape]
) -> tuple[Tensor, ...]:
    dtype = need_same_dtype(("input", input), ("weight", params[0]))
    named = zip(states, shapes, range(len(states)), strict=False)
    return tuple(state_of(given, shape, dtype, f"hx[{index}]") for given, shape, index in named)


def _pair(hx: Any) -> tuple[Tensor, Tensor]:
    if isinstance(hx, (tuple, list)) and len(hx) == 2:
        return hx[0], hx[1]
    if isinstance(hx, Tensor) and hx.rank is None:
        raise Unanswered("unknown hx")
    raise CallError(f"expected hx to be a pair of tensors (hidden and cell state), got {value_text(hx)}")


@op("lstm")
def lstm(*args: Any) -> tuple[Tensor, ...]:
    """(input, (h, c), params, has_biases, num_layers, dropout, train, bidirectional, batch_first) gives (output, h, c).

    Or (data, batch_sizes, (h, c), params, has_biases, num_layers, dropout, train, bidirectional) of packed sequences.
    """
    return _layer(args, 4, _pair)


def _one(hx: Any) -> tuple[Tensor]:
    return (hx,)


def _layer(args: tuple[Any, ...], gates: int, states: Callable[[Any], Sequence[Tensor]]) -> tuple[Tensor, ...]:
    if len(args) != 9:
        raise CallError(f"takes 9 positional arguments but {len(args)} were given")
    if isinstance(args[3], (tuple, list)):
        data, _, hx, params, _, layers, _, _, bidirectional = args
        return _of_packed(gates, data, states(hx), params, layers, bidirectional)
    input, hx, params, _, layers, _, _, bidirectional, batch_first = args
    return _of_sequence(gates, input, states(hx), params, layers, bidirectional, batch_first)


def _recurrent(gates: int) -> Callable[..., tuple[Tensor, ...]]:
    def recurrent(*args: Any) -> tuple[Tensor, ...]:
        return _layer(args, gates, _one)

    return recurrent


for _name in ("gru", "rnn_tanh", "rnn_relu"):
    register(_recurrent(LAYERS[_name]), _name)


@op("lstm_cell")
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """(b, in) with states (b, h) twice gives the next two."""
    hidden, cell = _pair(hx)
    return cell_step(input, hidden, w_ih, w_hh, "hx[0]"), cell_step(input, cell, w_ih, w_hh, "hx[1]")


def _cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """(b, in) with a state (b, h) gives the next one."""
    return cell_step(input, hx, w_ih, w_hh)


for _name in ("gru_cell", "rnn_tanh_cell", "rnn_relu_cell"):
    register(_cell, _name)


def cell_step(input: Tensor, hx: Tensor | None, w_ih: Tensor, w_hh: Tensor, name: str = "hx") -> Tensor:
    """The state after one step of a cell, (b, h) for an input (b, in), or (h,) for (in,)."""
    need_width(input, w_ih.shape.size(-1))
    width = w_hh.shape.size(-1)
    dtype = need_same_dtype(("input", input), ("weight", w_ih))
    expected = input.shape.with_at(-1, width) if input.rank is not None else Shape((), VariadicAxes(), (width,))
    return state_of(hx, expected, dtype, name, "batch, hidden_size" if input.rank == 2 else "hidden_size,")
