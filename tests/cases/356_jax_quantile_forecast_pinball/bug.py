import torch
from jaxtyping import Float
from torch import Tensor, nn

QUANTILES = (0.1, 0.5, 0.9)


class Encoder(nn.Module):
    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.rnn = nn.LSTM(features, width, batch_first=True)

    def forward(self, x: Float[Tensor, "b t f"]) -> Float[Tensor, "b width"]:
        _, (h, _) = self.rnn(x)
        return h[-1]


class QuantileForecaster(nn.Module):
    def __init__(self, features: int = 2, width: int = 16, horizon: int = 3) -> None:
        super().__init__()
        self.horizon = horizon
        self.encoder = Encoder(features, width)
        self.head = nn.Linear(width, horizon * len(QUANTILES))

    def forward(self, x: Float[Tensor, "b t f"]) -> Float[Tensor, "b horizon quantiles"]:
        return self.head(self.encoder(x)).view(-1, self.horizon, len(QUANTILES))


class PinballLoss(nn.Module):
    levels: Tensor

    def __init__(self, quantiles=QUANTILES) -> None:
        super().__init__()
        self.register_buffer("levels", torch.tensor(quantiles))

    def errors(
        self, pred: Float[Tensor, "b horizon quantiles"], target: Float[Tensor, "b horizon"]
    ) -> Float[Tensor, "b horizon quantiles"]:
        return target.unsqueeze(1) - pred

    def forward(
        self, pred: Float[Tensor, "b horizon quantiles"], target: Float[Tensor, "b horizon"]
    ) -> Float[Tensor, ""]:
        error = self.errors(pred, target)
        return torch.maximum(self.levels * error, (self.levels - 1) * error).mean()


def sine_windows(count: int, context: int, horizon: int):
    start = torch.rand(count, 1) * 6
    steps = start + torch.arange(context + horizon) * 0.3
    series = torch.stack([steps.sin(), steps.cos()], dim=-1)
    return series[:, :context], series[:, context:, 0]


def coverage(pred: Float[Tensor, "b horizon quantiles"], target: Float[Tensor, "b horizon"]) -> float:
    inside = (target >= pred[..., 0]) & (target <= pred[..., -1])
    return inside.float().mean().item()


def main() -> None:
    model, criterion = QuantileForecaster(), PinballLoss()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(3):
        x, y = sine_windows(8, 20, 3)
        loss = criterion(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(coverage(model(x), y))


if __name__ == "__main__":
    main()
