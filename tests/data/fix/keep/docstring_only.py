"""class Net(nn.Module):

    def forward(self, x: Tensor) -> Tensor:
        return x
"""
