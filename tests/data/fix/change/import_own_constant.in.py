from torch import Tensor, nn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Block(nn.Module):
    def forward(self, x: Tensor, sizes: "Sequence[int]") -> Tensor:
        return x
