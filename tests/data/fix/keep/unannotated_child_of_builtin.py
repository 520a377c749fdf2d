from torch import nn


class Scaled(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 2
