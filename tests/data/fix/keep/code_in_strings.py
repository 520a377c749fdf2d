from torch import nn

TEMPLATE = '''
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return self.inner.forward(x)
'''
LINE = "model = nn.Linear(1, 1); model.forward(x)"


class Net(nn.Module):
    """Example:

    class Other(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x
    """
