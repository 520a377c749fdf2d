"""Layers that look up rows of a table."""

from __future__ import annotations

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules.embedding import embedding, embedding_bag, need_padding_index
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, need_equal
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.ops.traits import Trait
from shapecheck.spec import Shape, ShapeError, Size, TensorSpec


class _Table(ModuleSpec):
    """The common part: the table, (num_embeddings, embedding_dim)."""

    num_embeddings: Size
    embedding_dim: Size
    padding_idx: Size | None
    weight: TensorSpec

    def _build(
        self, rows: Size, features: Size, padding_idx: Size | None, given: Tensor | None, dtype: DTypeLike
    ) -> None:
        if padding_idx is not None:
            need_padding_index(padding_idx, rows)
        self.num_embeddings, self.embedding_dim, self.padding_idx = rows, features, padding_idx
        self.weight = parameter((rows, features), dtype) if given is None else given
        if given is not None and given.rank is not None:
            expected = f"{Shape((rows, features))} (num_embeddings, embedding_dim)"
            message = f"expected a weight of shape {expected}, got {given.shape}"
            if given.rank != 2:
                raise ShapeError(message)
            need_equal(given.dims[0], rows, message)
            need_equal(given.dims[1], features, message)

    def __repr__(self) -> str:
        return f"{type(self).name}({self.num_embeddings}, {self.embedding_dim})"


@module("nn.Embedding", traits=Trait.HAS_WEIGHTS)
class Embedding(_Table):
    """Indices (...) give (..., embedding_dim)."""

    def __init__(
        self,
        num_embeddings: Size,
        embedding_dim: Size,
        padding_idx: Size | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self._build(num_embeddings, embedding_dim, padding_idx, _weight, dtype)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: Size | None = None, *args: object, **kwargs: object
    ) -> Embedding:
        """The layer with this table."""
        rows, features = _table_sizes(embeddings)
        return cls(rows, features, padding_idx, _weight=embeddings)

    def forward(self, input: Tensor) -> Tensor:
        """Indices (...) give (..., embedding_dim)."""
        return embedding(input, self.weight)


@module("nn.EmbeddingBag", traits=Trait.HAS_WEIGHTS)
class EmbeddingBag(_Table):
    """(bags, n), or a vector of indices with offsets, gives (bags, embedding_dim)."""

    def __init__(
        self,
        num_embeddings: Size,
        embedding_dim: Size,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: Size | None = None,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.mode = mode
        self.include_last_offset = include_last_offset
        self._build(num_embeddings, embedding_dim, padding_idx, _weight, dtype)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, *args: object, mode: str = "mean", **kwargs: object
    ) -> EmbeddingBag:
        """The layer with this table."""
        rows, features = _table_sizes(embeddings)
        last = bool(kwargs.get("include_last_offset", False))
        return cls(rows, features, mode=mode, _weight=embeddings, include_last_offset=last)

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """(bags, n), or a vector of indices with offsets, gives (bags, embedding_dim)."""
        return embedding_bag(
            input,
            self.weight,
            offsets,
            mode=self.mode,
            per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset,
        )


def _table_sizes(embeddings: Tensor) -> tuple[Size, Size]:
    if len(embeddings.dims) != 2:
        raise ShapeError(wrong_rank("embeddings", (2,), embeddings.shape))
    return embeddings.dims[0], embeddings.dims[1]
