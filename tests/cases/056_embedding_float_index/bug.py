import torch
from jaxtyping import Float
from torch import Tensor, nn


class BucketedDistance(nn.Module):
    """Relative distances in buckets, as a bias for attention."""

    def __init__(self, buckets: int = 8, heads: int = 4, reach: float = 2.0):
        super().__init__()
        self.buckets, self.reach = buckets, reach
        self.table = nn.Embedding(buckets, heads)

    def forward(self, xyz: Float[Tensor, "b n 3"]) -> Float[Tensor, "b heads n n"]:
        dist = torch.cdist(xyz, xyz)
        bucket = torch.floor(dist / self.reach * self.buckets).clamp(0, self.buckets - 1)
        return self.table(bucket).permute(0, 3, 1, 2)


class Molecule(nn.Module):
    def __init__(self, atoms: int = 10, heads: int = 4):
        super().__init__()
        self.atom = nn.Embedding(atoms, 16)
        self.bias = BucketedDistance(heads=heads)

    def forward(self, z, xyz):
        h = self.atom(z)
        score = torch.einsum("bid,bjd->bij", h, h).unsqueeze(1) + self.bias(xyz)
        return score.softmax(dim=-1).mean(dim=(1, 2, 3))


def main():
    z = torch.randint(0, 10, (2, 7))
    print(Molecule()(z, torch.randn(2, 7, 3)))


if __name__ == "__main__":
    main()
