from torch import nn


class Net(nn.Module):
    def __init__(self, dim, norm):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.norm = None
        if norm:
            self.norm = nn.LayerNorm(dim)
        self.mixer = norm

    def forward(self, x):
        x = self.mixer.forward(x)  # finding: note
        return x if self.norm is None else self.norm.forward(x)  # finding: note
