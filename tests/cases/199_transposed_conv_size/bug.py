import torch
import torch.nn.functional as F
from torch import nn


class ConvAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 7),
        )
        self.dec = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 7), nn.ReLU(),
            nn.ConvTranspose2d(16, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(8, 1, 3, stride=2, padding=1, output_padding=1), nn.Sigmoid(),
        )

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z.flatten(1)


def run_epoch(model, loader, opt=None):
    total = 0.0
    for (x,) in loader:
        with torch.set_grad_enabled(opt is not None):
            recon, _ = model(x)
            loss = F.binary_cross_entropy(recon, x, reduction="sum") / x.size(0)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total += loss.item()
    return total / len(loader)


def main():
    data = torch.utils.data.TensorDataset(torch.rand(10, 1, 28, 28))
    loader = torch.utils.data.DataLoader(data, batch_size=5)
    model = ConvAE()
    print(run_epoch(model, loader, torch.optim.Adam(model.parameters())), run_epoch(model, loader))


if __name__ == "__main__":
    main()
