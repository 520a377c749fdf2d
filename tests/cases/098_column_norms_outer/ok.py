import torch
from jaxtyping import Float
from torch import Tensor, nn


def random_walk(kernel: Float[Tensor, "n n"]) -> Float[Tensor, "n n"]:
    """Rows sum to one."""
    degree = kernel.sum(dim=1, keepdim=True)
    return kernel / degree


def gaussian_kernel(x: Float[Tensor, "n dim"], width: float = 1.0) -> Float[Tensor, "n n"]:
    d2 = (x[:, None, :] - x[None, :, :]).pow(2).sum(dim=-1)
    return torch.exp(-d2 / (2 * width**2))


class Diffuse(nn.Module):
    def __init__(self, dim: int = 6, steps: int = 2):
        super().__init__()
        self.steps = steps
        self.embed = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "n dim"]) -> Float[Tensor, "n dim"]:
        p = random_walk(gaussian_kernel(self.embed(x)))
        for _ in range(self.steps):
            x = p @ x
        return x


def main() -> None:
    x = torch.randn(15, 6)
    print(Diffuse()(x).std(dim=0))


if __name__ == "__main__":
    main()
