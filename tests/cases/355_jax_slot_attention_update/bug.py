import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class SlotAttention(nn.Module):
    def __init__(self, dim: int, slots: int, iterations: int = 3, eps: float = 1e-8) -> None:
        super().__init__()
        self.slots, self.iterations, self.eps = slots, iterations, eps
        self.mu = nn.Parameter(torch.randn(1, slots, dim))
        self.norm_in, self.norm_slots = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.cell = nn.GRUCell(dim, dim)
        self.scale = dim**-0.5

    def weights(
        self, k: Float[Tensor, "b n d"], q: Float[Tensor, "b k d"]
    ) -> Float[Tensor, "b n k"]:
        attn = (k @ q.mT * self.scale).softmax(dim=-1) + self.eps
        return attn / attn.sum(dim=1, keepdim=True)

    def update(
        self, slots: Float[Tensor, "b k d"], k: Float[Tensor, "b n d"], v: Float[Tensor, "b n d"]
    ) -> Float[Tensor, "b k d"]:
        attn = self.weights(k, self.to_q(self.norm_slots(slots)))
        gathered = attn @ v
        return self.cell(gathered.flatten(0, 1), slots.flatten(0, 1)).view_as(slots)

    def forward(self, inputs: Float[Tensor, "b n d"]) -> Float[Tensor, "b k d"]:
        k, v = self.to_kv(self.norm_in(inputs)).chunk(2, dim=-1)
        slots = self.mu.expand(inputs.shape[0], -1, -1)
        for _ in range(self.iterations):
            slots = self.update(slots, k, v)
        return slots


class Scene(nn.Module):
    def __init__(self, dim: int = 24, slots: int = 4, classes: int = 6) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.Conv2d(3, dim, 5, 2, 2), nn.ReLU(), nn.Conv2d(dim, dim, 5, 2, 2))
        self.attention = SlotAttention(dim, slots)
        self.classify = nn.Linear(dim, classes)

    def tokens(self, images: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b n d"]:
        return self.encode(images).flatten(2).transpose(1, 2)

    def forward(self, images: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b k c"]:
        return self.classify(self.attention(self.tokens(images)))


def set_loss(logits: Float[Tensor, "b k c"], labels: Int[Tensor, "b k"]) -> Float[Tensor, ""]:
    return nn.functional.cross_entropy(logits.transpose(1, 2), labels)


def main() -> None:
    model = Scene()
    loss = set_loss(model(torch.rand(2, 3, 16, 16)), torch.randint(0, 6, (2, 4)))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
