import torch
from jaxtyping import Float
from torch import Tensor, nn


class Handwriting(nn.Module):
    def __init__(self, height: int = 32, hidden: int = 48, symbols: int = 27):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 24, 3, padding=1), nn.ReLU()
        )
        self.rnn = nn.LSTM(24 * (height // 2), hidden, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hidden, symbols + 1)

    def forward(self, img: Float[Tensor, "b 1 32 w"]) -> Float[Tensor, "b t classes"]:
        f = self.conv(img)
        f = f.permute(0, 3, 1, 2).flatten(2)
        out, _ = self.rnn(f)
        return self.fc(out).log_softmax(dim=-1)


def main():
    model = Handwriting()
    criterion = nn.CTCLoss(blank=0, zero_infinity=True)
    img = torch.rand(4, 1, 32, 60)
    targets = torch.randint(1, 28, (4, 8))
    logp = model(img)
    input_lengths = torch.full((img.size(0),), logp.size(1), dtype=torch.long)
    target_lengths = torch.tensor([8, 5, 6, 8])
    loss = criterion(logp, targets, input_lengths, target_lengths)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
