from torch import nn

Net = type("Net", (nn.Module,), {"forward": lambda self, x: x})
