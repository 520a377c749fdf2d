import torch
from torch import nn


class GestureRNN(nn.Module):
    def __init__(self, hidden=32, classes=7):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)))
        self.rnn = nn.GRU(8 * 16, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, spec):
        x = self.cnn(spec)
        b, c, f, t = x.size()
        x = x.permute(0, 3, 2, 1)
        x = x.view(b, t, f * c)
        out, _ = self.rnn(x)
        return self.fc(out.mean(dim=1))


def augment(spec, shift):
    return torch.roll(spec, shifts=shift, dims=-1)


def main():
    model = GestureRNN()
    spec = torch.rand(4, 1, 32, 50)
    logits = model(augment(spec, 5))
    print(logits.softmax(dim=-1).sum().item())


if __name__ == "__main__":
    main()
