import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH, Z = 16, 8

netG = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 2))
netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
criterion = nn.BCEWithLogitsLoss()


def train_step(real, opt_d, opt_g):
    ones, zeros = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
    fake = netG(torch.randn(BATCH, Z))
    opt_d.zero_grad()
    loss_d = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss_g = criterion(netD(fake), ones)
    loss_g.backward()
    opt_g.step()
    return loss_d.item(), loss_g.item()


def main():
    points = torch.randn(50, 2) * 0.1 + 1.0
    loader = DataLoader(TensorDataset(points), batch_size=BATCH, shuffle=True)
    opt_d = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    opt_g = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    for (real,) in loader:
        losses = train_step(real, opt_d, opt_g)
    print(losses)


if __name__ == "__main__":
    main()
