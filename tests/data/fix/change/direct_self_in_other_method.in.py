from torch import nn


class Classifier(nn.Module):
    def forward(self, x):
        return self.embed(x)

    def embed(self, x):
        return x * 2

    def predict(self, x):
        return self.forward(x).argmax(-1)

    def training_step(self, batch):
        x, y = batch
        return ((self.forward(x) - y) ** 2).mean()
