from torch import nn


class Net(nn.Linear):
    def predict(self, x):
        return super().forward(x)

    def stats(self, x):
        parent = super()
        return parent.forward(x)  # finding: note
