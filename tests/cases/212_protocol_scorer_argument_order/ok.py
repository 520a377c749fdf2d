from typing import Protocol, runtime_checkable

import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


@runtime_checkable
class Scorer(Protocol):
    def __call__(self, query: Float[Tensor, "n d"], gallery: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]: ...


@jaxtyped(typechecker=beartype)
def cosine(query: Float[Tensor, "n d"], gallery: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    return nn.functional.normalize(query, dim=1) @ nn.functional.normalize(gallery, dim=1).T


@jaxtyped(typechecker=beartype)
def recall_at_k(
    scores: Float[Tensor, "n m"], query_ids: Float[Tensor, "n"], gallery_ids: Float[Tensor, "m"], k: int
) -> Float[Tensor, ""]:
    top = scores.topk(k, dim=1).indices
    hit = (gallery_ids[top] == query_ids[:, None]).any(dim=1)
    return hit.float().mean()


def evaluate(scorer: Scorer, query: Tensor, gallery: Tensor, k: int = 3) -> float:
    q_ids = torch.arange(query.shape[0]).float()
    g_ids = torch.arange(gallery.shape[0]).float() % query.shape[0]
    scores = scorer(query, gallery)
    return recall_at_k(scores, q_ids, g_ids, k).item()


def main() -> None:
    print(evaluate(cosine, torch.randn(6, 16), torch.randn(20, 16)))


if __name__ == "__main__":
    main()
