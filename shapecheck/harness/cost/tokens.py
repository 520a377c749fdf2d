"""A cross-check of the operations that were counted: 2 for each parameter and token, 4 in backward.

Kaplan et al., Scaling Laws for Neural Language Models (2020), section 2.1: each weight is multiplied and added once for
each token; tables of embeddings are looked up and do not count, and the scores of attention come on top.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn
from torch.nn.parameter import is_lazy

from shapecheck.harness.results import ModuleRecord


def expected_flops(model: nn.Module, records: Sequence[ModuleRecord]) -> int | None:
    """2 per parameter and token of one forward; None if no embedding reads the inputs, so that there are no tokens."""
    given = records[0].inputs
    tokens = [_elements(one.inputs[0]) for one in records if _looks_up(model, one) and one.inputs[0] in given]
    return 2 * max(tokens) * _multiplied(model) if tokens else None


def _looks_up(model: nn.Module, record: ModuleRecord) -> bool:
    return bool(record.inputs) and isinstance(model.get_submodule(record.path), nn.Embedding)


def _elements(shown: str) -> int:
    """The product of the sizes of `torch.int64 (2, 3)`."""
    count = 1
    for size in shown[shown.index("(") + 1 : shown.index(")")].split(","):
        count *= int(size) if size.strip() else 1
    return count


def _multiplied(model: nn.Module) -> int:
    """Elements of the parameters; a table of embeddings counts if another module multiplies with it too."""
    found = {
        id(one): one.numel()
        for module in model.modules()
        if not isinstance(module, (nn.Embedding, nn.EmbeddingBag))
        for one in module.parameters(recurse=False)
        if not is_lazy(one)
    }
    return sum(found.values())
