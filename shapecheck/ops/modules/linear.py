"""Layers that are affine maps."""

from __future__ import annotations

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules import linear as rules
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, size
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Size, Unanswered


@module("nn.Linear", traits=Trait.AUTOCAST | Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class Linear(ModuleSpec):
    """(..., in_features) gives (..., out_features)."""

    in_features: Size
    out_features: Size
    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        bias: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.in_features = size(in_features)
        self.out_features = size(out_features)
        self.weight = parameter((self.out_features, self.in_features), dtype)
        self.bias = parameter((self.out_features,), dtype) if bias else None

    def forward(self, input: Tensor) -> Tensor:
        """(..., in_features) gives (..., out_features)."""
        if self.weight is None:
            raise Unanswered("the layer has no weight yet")
        return rules.linear(input, self.weight, self.bias)

    def __repr__(self) -> str:
        return f"{type(self).name}({self.in_features}, {self.out_features})"


@module("nn.NonDynamicallyQuantizableLinear")
class NonDynamicallyQuantizableLinear(Linear):
    """(..., in_features) gives (..., out_features); the projection of MultiheadAttention."""


@module("nn.LazyLinear")
class LazyLinear(Linear):
    """Linear whose number of input features is the last size of its first input."""

    def __init__(self, out_features: Size, bias: bool = True, device: object = None, dtype: DTypeLike = None) -> None:
        super().__init__(0, out_features, bias, device, dtype)
        self.weight = None
        self._dtype = dtype

    def forward(self, input: Tensor) -> Tensor:
        """(..., in_features) gives (..., out_features)."""
        if self.weight is None and input.rank != 0:
            found = input.shape.at(-1)
            if found is None:
                given = input.shape.with_at(-1, self.out_features)
                return Tensor.make(given, input.dtype, "unknown", input.device)
            self.in_features = found
            self.weight = parameter((self.out_features, found), self._dtype)
        return super().forward(input)


@module("nn.Bilinear", traits=Trait.AUTOCAST | Trait.HAS_WEIGHTS)
class Bilinear(ModuleSpec):
    """(..., in1_features) and (..., in2_features) give (..., out_features)."""

    def __init__(
        self,
        in1_features: Size,
        in2_features: Size,
        out_features: Size,
        bias: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.in1_features = size(in1_features)
        self.in2_features = size(in2_features)
        self.out_features = size(out_features)
        if isinstance(self.in1_features, int) and self.in1_features <= 0:
            raise CallError(f"expected in1_features to be greater than 0, got {in1_features}")
        self.weight = parameter((self.out_features, self.in1_features, self.in2_features), dtype)
        self.bias = parameter((self.out_features,), dtype) if bias else None

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """(..., in1_features) and (..., in2_features) give (..., out_features)."""
        return rules.bilinear(input1, input2, self.weight, self.bias)

    def __repr__(self) -> str:
        return f"Bilinear({self.in1_features}, {self.in2_features}, {self.out_features})"
