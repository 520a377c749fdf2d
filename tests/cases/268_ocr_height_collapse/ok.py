import torch
from torch import nn


class BidirectionalLSTM(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.rnn = nn.LSTM(n_in, hidden, bidirectional=True)
        self.embedding = nn.Linear(hidden * 2, n_out)

    def forward(self, x):
        recurrent, _ = self.rnn(x)
        t, b, h = recurrent.size()
        return self.embedding(recurrent.view(t * b, h)).view(t, b, -1)


class CRNN(nn.Module):
    def __init__(self, height=32, nc=1, classes=11, hidden=16):
        super().__init__()
        assert height % 16 == 0, "height has to be a multiple of 16"
        ks, ps, ss, nm = [3, 3, 3, 3, 2], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1], [8, 16, 32, 32, 32]
        cnn = nn.Sequential()

        def conv_relu(i, batch_norm=False):
            n_in = nc if i == 0 else nm[i - 1]
            cnn.add_module(f"conv{i}", nn.Conv2d(n_in, nm[i], ks[i], ss[i], ps[i]))
            if batch_norm:
                cnn.add_module(f"batchnorm{i}", nn.BatchNorm2d(nm[i]))
            cnn.add_module(f"relu{i}", nn.ReLU(True))

        conv_relu(0)
        cnn.add_module("pooling0", nn.MaxPool2d(2, 2))
        conv_relu(1)
        cnn.add_module("pooling1", nn.MaxPool2d(2, 2))
        conv_relu(2, True)
        cnn.add_module("pooling2", nn.MaxPool2d((2, 2), (2, 1), (0, 1)))
        conv_relu(3)
        cnn.add_module("pooling3", nn.MaxPool2d((2, 2), (2, 1), (0, 1)))
        conv_relu(4, True)
        self.cnn = cnn
        self.rnn = nn.Sequential(
            BidirectionalLSTM(nm[-1], hidden, hidden),
            BidirectionalLSTM(hidden, hidden, classes),
        )

    def forward(self, x):
        conv = self.cnn(x)
        b, c, h, w = conv.size()
        assert h == 1, "the height of conv must be 1"
        return self.rnn(conv.squeeze(2).permute(2, 0, 1))


def main():
    logits = CRNN()(torch.rand(3, 1, 32, 100))
    t = torch.full((3,), logits.size(0), dtype=torch.long)
    loss = nn.CTCLoss(zero_infinity=True)(logits.log_softmax(2), torch.randint(1, 11, (3, 6)), t, torch.full((3,), 6))
    loss.backward()
    print(logits.shape, loss.item())


if __name__ == "__main__":
    main()
