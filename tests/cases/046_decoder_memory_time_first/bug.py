import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Captioner(nn.Module):
    def __init__(self, vocab: int = 80, dim: int = 32, heads: int = 4):
        super().__init__()
        self.patches = nn.Conv2d(3, dim, 8, stride=8)
        self.words = nn.Embedding(vocab, dim)
        layer = nn.TransformerDecoderLayer(dim, heads, dim_feedforward=64)
        self.decoder = nn.TransformerDecoder(layer, num_layers=2)
        self.out = nn.Linear(dim, vocab)

    def forward(
        self, img: Float[Tensor, "b 3 h w"], caption: Int[Tensor, "b t"]
    ) -> Float[Tensor, "b t vocab"]:
        memory = self.patches(img).flatten(2).transpose(1, 2)
        mask = nn.Transformer.generate_square_subsequent_mask(caption.shape[1])
        h = self.decoder(self.words(caption), memory, tgt_mask=mask)
        return self.out(h)


def main() -> None:
    model = Captioner()
    img = torch.rand(3, 3, 24, 24)
    caption = torch.randint(0, 80, (3, 5))
    logits = model(img, caption)
    print(nn.functional.cross_entropy(logits.flatten(0, 1), caption.flatten()).item())


if __name__ == "__main__":
    main()
