from torch import nn


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
