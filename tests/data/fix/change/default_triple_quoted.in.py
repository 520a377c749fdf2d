from typing import TYPE_CHECKING

from torch import Tensor, nn


class Prompted(nn.Module):
    def forward(
        self,
        x: Tensor,
        prompt: str = """first line
  second (line
""",
    ) -> Tensor:
        return x * len(prompt)
