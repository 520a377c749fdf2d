from torch import Tensor, nn


class Block(nn.Module):
	"""HEAD."""

	def forward(self, x: Tensor) -> Tensor:
		return x

	def extra(self,
	          y: Tensor) -> Tensor:
		return y
