"""Recurrent layers and their cells."""

from __future__ import annotations

from typing import Any, ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.rnn import Sizes, cell_step, need_width, sequence_output, state_of
from shapecheck.ops.rules.rnn_pack import PackedSequence
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh_shape, need_rank, size
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.shared.reducing import need_bool
from shapecheck.ops.shared.wording import number_of
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, Shape, ShapeError, Size, TensorSpec, Unanswered, at_least, same, unknown
from shapecheck.spec.presentation import value_text

_MOST_LAYERS = 1_000


class _Recurrent(ModuleSpec):
    gates: ClassVar[int]
    _directions: Size
    weight_ih_l0: TensorSpec

    def _build(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size,
        bias: bool,
        batch_first: bool,
        dropout: float,
        bidirectional: bool | Unknown,
        proj_size: Size,
        dtype: DTypeLike,
    ) -> None:
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            if at_least(size(value), 1) is False:
                raise CallError(f"expected {name} to be greater than 0, got {value_text(value)}")
        if proj_size != 0 and (at_least(proj_size, 0) is False or at_least(proj_size, hidden_size)):
            raise CallError(
                f"expected proj_size to be at least 0 and less than hidden_size {hidden_size}, got {proj_size}"
            )
        if isinstance(dropout, (int, float)) and not 0 <= dropout <= 1:
            raise CallError(f"expected dropout to be between 0 and 1, got {dropout}")
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        need_bool(bias, "bias")
        need_bool(batch_first, "batch_first")
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self._directions = (
            unknown("directions", low=1) if isinstance(bidirectional, Unknown) else 1 + bool(bidirectional)
        )
        self.proj_size = proj_size
        self._make_parameters(dtype)

    def _make_parameters(self, dtype: DTypeLike) -> None:
        sizes = self._sizes()
        gated = self.gates * self.hidden_size
        layers = min(sizes.layers, _MOST_LAYERS) if isinstance(sizes.layers, int) else 1
        for layer in range(layers):
            width = self.input_size if layer == 0 else sizes.out * sizes.directions
            for suffix in ("", "_reverse") if sizes.directions == 2 else ("",):
                end = f"l{layer}{suffix}"
                setattr(self, f"weight_ih_{end}", parameter((gated, width), dtype))
                setattr(self, f"weight_hh_{end}", parameter((gated, sizes.out), dtype))
                if self.bias:
                    setattr(self, f"bias_ih_{end}", parameter((gated,), dtype))
                    setattr(self, f"bias_hh_{end}", parameter((gated,), dtype))
                if self.proj_size != 0:
                    setattr(self, f"weight_hr_{end}", parameter((self.proj_size, self.hidden_size), dtype))

    def _sizes(self) -> Sizes:
        out = self.hidden_size if self.proj_size == 0 else self.proj_size
        return Sizes(self.input_size, self.hidden_size, out, self.num_layers, self._directions)

    def _run(self, input: Any) -> tuple[Any, Shape, Shape, DType | None]:
        """The output, the shapes of the hidden and the cell state, and their dtype."""
        data = input.data if isinstance(input, PackedSequence) else input
        dtype = need_same_dtype(("input", data), ("weight", self.weight_ih_l0))
        sizes = self._sizes()
        if not isinstance(input, PackedSequence):
            return *sequence_output(input, sizes, self.batch_first), dtype
        need_width(data, sizes.input)
        shape = data.shape.with_at(-1, sizes.out * sizes.directions)
        output = input.with_data(fresh_shape(shape, dtype, data, "unknown"))
        return output, sizes.state(sizes.out, (input.batch,)), sizes.state(sizes.cell, (input.batch,)), dtype

    def flatten_parameters(self) -> None:
        """Does nothing to shapes."""

    def __repr__(self) -> str:
        return f"{type(self).name}({self.input_size}, {self.hidden_size})"


class _OneState(_Recurrent):
    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """(t, b, in) gives (t, b, D*H) and the last state (D*layers, b, H); (b, t, in) with batch_first."""
        output, shape, _, dtype = self._run(input)
        if isinstance(hx, (tuple, list)):
            raise CallError("expected hx to be a tensor, got a pair")
        return output, state_of(hx, shape, dtype, "hx")


@module("nn.RNN", traits=Trait.AUTOCAST | Trait.BATCH_FIRST)
class RNN(_OneState):
    """(t, b, in) gives (t, b, D*H) and the last state (D*layers, b, H); (b, t, in) with batch_first."""

    gates = 1

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool | Unknown = False,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.nonlinearity = nonlinearity
        if isinstance(nonlinearity, str) and nonlinearity not in ("tanh", "relu"):
            raise CallError(f'expected nonlinearity to be "tanh" or "relu", got {value_text(nonlinearity)}')
        self._build(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, dtype)


@module("nn.GRU", traits=Trait.AUTOCAST | Trait.BATCH_FIRST)
class GRU(_OneState):
    """(t, b, in) gives (t, b, D*H) and the last state (D*layers, b, H); (b, t, in) with batch_first."""

    gates = 3

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool | Unknown = False,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self._build(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, dtype)


@module("nn.LSTM", traits=Trait.AUTOCAST | Trait.BATCH_FIRST)
class LSTM(_Recurrent):
    """(t, b, in) gives (t, b, D*R) and the states (D*layers, b, R) and (D*layers, b, H); (b, t, in) with batch_first.

    R is proj_size where there is one, else H.
    """

    gates = 4

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        num_layers: Size = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool | Unknown = False,
        proj_size: Size = 0,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self._build(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, tuple[Tensor, Tensor]]:
        """(t, b, in) gives (t, b, D*R) and the states (D*layers, b, R) and (D*layers, b, H)."""
        output, hidden, cell, dtype = self._run(input)
        h, c = _pair(hx)
        return output, (state_of(h, hidden, dtype, "hx[0]"), state_of(c, cell, dtype, "hx[1]"))


class _Cell(ModuleSpec):
    gates: ClassVar[int]

    def _build(self, input_size: Size, hidden_size: Size, bias: bool, dtype: DTypeLike) -> None:
        self.input_size = size(input_size)
        self.hidden_size = size(hidden_size)
        self.bias = bias
        gated = self.gates * self.hidden_size
        self.weight_ih = parameter((gated, self.input_size), dtype)
        self.weight_hh = parameter((gated, self.hidden_size), dtype)
        self.bias_ih = parameter((gated,), dtype) if bias else None
        self.bias_hh = parameter((gated,), dtype) if bias else None

    def _step(self, input: Tensor, hx: Any, name: str) -> Tensor:
        need_rank(input, (1, 2))
        if isinstance(hx, TensorSpec):
            need_rank(hx, (1, 2), name)
            if hx.rank == 2 and input.rank == 1 and same(hx.dims[0], self.hidden_size) is not False:
                raise Unanswered(f"{name} of shape {hx.shape} may broadcast with one sample")
        return cell_step(input, hx, self.weight_ih, self.weight_hh, name)

    def __repr__(self) -> str:
        return f"{type(self).name}({self.input_size}, {self.hidden_size})"


class _OneStateCell(_Cell):
    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """(b, in) or (in,) with a state (b, H) or (H,) gives the next one."""
        return self._step(input, hx, "hx")


@module("nn.RNNCell", traits=Trait.AUTOCAST)
class RNNCell(_OneStateCell):
    """(b, in) or (in,) with a state (b, H) or (H,) gives the next one."""

    gates = 1

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.nonlinearity = nonlinearity
        self._build(input_size, hidden_size, bias, dtype)


@module("nn.GRUCell", traits=Trait.AUTOCAST)
class GRUCell(_OneStateCell):
    """(b, in) or (in,) with a state (b, H) or (H,) gives the next one."""

    gates = 3

    def __init__(
        self, input_size: Size, hidden_size: Size, bias: bool = True, device: object = None, dtype: DTypeLike = None
    ) -> None:
        self._build(input_size, hidden_size, bias, dtype)


@module("nn.LSTMCell", traits=Trait.AUTOCAST)
class LSTMCell(_Cell):
    """(b, in) or (in,) with two states (b, H) or (H,) gives the next two."""

    gates = 4

    def __init__(
        self, input_size: Size, hidden_size: Size, bias: bool = True, device: object = None, dtype: DTypeLike = None
    ) -> None:
        self._build(input_size, hidden_size, bias, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """(b, in) or (in,) with two states (b, H) or (H,) gives the next two."""
        h, c = _pair(hx)
        return self._step(input, h, "hx[0]"), self._step(input, c, "hx[1]")


def _pair(hx: Any) -> tuple[Any, Any]:
    """The hidden and the cell state passed, or None twice if they are unknown."""
    if hx is None or (isinstance(hx, TensorSpec) and hx.rank is None):
        return None, None
    if isinstance(hx, (tuple, list)):
        if len(hx) == 2:
            return hx[0], hx[1]
        raise CallError(f"expected hx to be a pair (h, c), got {number_of(len(hx), 'tensor')}")
    if isinstance(hx, TensorSpec):
        raise ShapeError(f"expected hx to be a pair (h, c), got a tensor of shape {hx.shape}")
    return None, None
