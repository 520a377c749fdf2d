import torch
from einops import pack, repeat, unpack
from jaxtyping import Float, Int
from torch import Tensor, nn


class PromptTuner(nn.Module):
    def __init__(self, vocab: int = 50, dim: int = 24, prompts: int = 4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.prompt = nn.Parameter(torch.randn(prompts, dim) * 0.02)
        self.body = nn.TransformerEncoderLayer(dim, 4, 48, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocab"]:
        x = self.emb(ids)
        prompt = repeat(self.prompt, "p d -> b p d", b=x.shape[0])
        packed, sizes = pack([prompt, x], "b * d")
        h = self.body(packed)
        _, h = unpack(h, sizes, "b * d")
        return self.out(h)


def main() -> None:
    model = PromptTuner()
    ids = torch.randint(0, 50, (3, 9))
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
