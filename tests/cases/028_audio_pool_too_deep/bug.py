import torch
from torch import nn


class M5(nn.Module):
    def __init__(self, n_input=1, n_output=35, stride=4, n_channel=16):
        super().__init__()
        self.conv1 = nn.Conv1d(n_input, n_channel, kernel_size=40, stride=stride)
        self.pool1 = nn.MaxPool1d(4)
        self.conv2 = nn.Conv1d(n_channel, n_channel, kernel_size=3)
        self.pool2 = nn.MaxPool1d(4)
        self.conv3 = nn.Conv1d(n_channel, 2 * n_channel, kernel_size=3)
        self.pool3 = nn.MaxPool1d(4)
        self.fc1 = nn.Linear(2 * n_channel, n_output)

    def forward(self, x):
        x = self.pool1(torch.relu(self.conv1(x)))
        x = self.pool2(torch.relu(self.conv2(x)))
        x = self.pool3(torch.relu(self.conv3(x)))
        x = x.mean(dim=-1)
        return self.fc1(x).log_softmax(dim=1)


def main():
    waveform = torch.randn(4, 1, 8000)
    clip = waveform[:, :, ::20]
    model = M5(stride=4)
    loss = nn.functional.nll_loss(model(clip), torch.tensor([1, 5, 0, 9]))
    print(loss.item())


if __name__ == "__main__":
    main()
