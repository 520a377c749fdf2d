import torch
from torch import nn

CLASSES = ["background", "road", "car", "person", "sky"]


def inverse_frequency(counts, eps=1e-3):
    freq = torch.tensor(counts, dtype=torch.float32)
    freq = freq / freq.sum()
    w = 1.0 / (freq + eps)
    return w / w.mean()


class SegTrainer:
    def __init__(self, net, weight=None):
        self.net = net
        self.criterion = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.05)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    def step(self, image, label):
        logits = self.net(image)
        loss = self.criterion(logits, label)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.detach()


def main():
    n = len(CLASSES)
    net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, n, 1))
    weight = inverse_frequency([500, 120, 30, 4000])
    trainer = SegTrainer(net, weight)
    print(trainer.step(torch.rand(2, 3, 20, 20), torch.randint(0, n, (2, 20, 20))))


if __name__ == "__main__":
    main()
