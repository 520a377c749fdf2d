"""Tuples and dicts of the same model that have other contents."""

from typing import Any

from jaxtyping import Float
from torch import Tensor, nn


class Encoder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc, self.pool = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], return_dict: bool = True) -> Any:
        hidden = self.fc(x)
        pooled = self.pool(hidden[:, 0]).tanh()
        if not return_dict:
            return hidden, pooled
            # mutant other_order: return pooled, hidden
            # mutant one_is_missing: return (hidden,)
            # mutant one_too_many: return hidden, pooled, hidden.mean(1)
            # mutant without_activation: return hidden, self.pool(hidden[:, 0])
            # mutant last_in_place_of_first: return hidden, self.pool(hidden[:, -1]).tanh()
            # mutant before_the_layer: return x, pooled
            # mutant unknown_name: return hidden, self.pooled
            # mutant sliced_as_a_tuple: return (hidden, pooled)[1:]
            # mutant key_of_a_dict: return (hidden, pooled)["pooled"]
        return {"hidden": hidden, "pooled": pooled}
