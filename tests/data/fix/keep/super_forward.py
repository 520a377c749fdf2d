from torch import nn


class Scaled(nn.Linear):
    def forward(self, input):
        y = super().forward(input)
        return super(Scaled, self).forward(y) * 2

    def twice(self, x):
        return super().forward(super().forward(x))
