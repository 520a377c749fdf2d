# asks: finds padding that changes the result
# pytest-torch: Mean() input_ids=long:4x16:100,attention_mask=mask:4x16
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Mean(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(100, 8)

    def forward(self, input_ids: Int[Tensor, "b t"], attention_mask: Int[Tensor, "b t"]) -> Float[Tensor, "b 8"]:
        mask = attention_mask[:, :, None].float()
        return self.words(input_ids).mean(1)  # planted; right: return (self.words(input_ids) * mask).sum(1) / mask.sum(1).clamp(min=1)


def main() -> None:
    print(Mean()(torch.zeros(4, 16, dtype=torch.long), torch.ones(4, 16, dtype=torch.long)).shape)


if __name__ == "__main__":
    main()
