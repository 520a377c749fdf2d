from typing import TYPE_CHECKING, Any

from encoders.base import Encoder


class PairEncoder(Encoder):
    def forward(self, x, y):
        return x + y

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
