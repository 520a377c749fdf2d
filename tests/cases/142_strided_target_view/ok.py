import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def flat_logits(logits: Float[Tensor, "b c h w"]) -> Float[Tensor, "bhw c"]:
    c = logits.shape[1]
    return logits.movedim(1, -1).reshape(-1, c)


def lovasz_like(logits: Float[Tensor, "b c h w"], target: Int[Tensor, "b h w"]) -> Float[Tensor, ""]:
    p = flat_logits(logits).softmax(dim=1)
    truth = nn.functional.one_hot(target.view(-1), p.shape[1]).to(p.dtype)
    errors, _ = (truth - p).abs().sort(dim=0, descending=True)
    rank = torch.arange(1, errors.shape[0] + 1)[:, None]
    return (errors / rank.float()).sum(dim=0).mean()


class Net(nn.Module):
    def __init__(self, classes: int = 4):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.Tanh(), nn.Conv2d(8, classes, 1))

    def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b classes h w"]:
        return self.net(x)


def main() -> None:
    loss = lovasz_like(Net()(torch.rand(2, 3, 12, 12)), torch.randint(0, 4, (2, 12, 12)))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
