import typing as t
from typing import TYPE_CHECKING, Any, Optional, Union

from torch import Tensor, nn


class Masked(nn.Module):
    def forward(
        self,
        x: Tensor,
        a: Optional[Tensor] = None,
        b: Tensor | None = None,
        c: None | Tensor = None,
        d: Union[Tensor, None] = None,
        e: t.Optional[Tensor] = None,
        f: Any = None,
        g: object = None,
        h: "Tensor | None" = None,
        i: "Optional[Tensor]" = None,
        j: None = None,
        k: Optional["Tensor"] = None,
    ) -> Tensor:
        return x

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(
            self,
            x: Tensor,
            a: Optional[Tensor] = None,
            b: Tensor | None = None,
            c: None | Tensor = None,
            d: Union[Tensor, None] = None,
            e: t.Optional[Tensor] = None,
            f: Any = None,
            g: object = None,
            h: "Tensor | None" = None,
            i: "Optional[Tensor]" = None,
            j: None = None,
            k: Optional["Tensor"] = None,
        ) -> Tensor: ...
