from ._block import Block
from ._gate import Gate

__all__ = ["Block", "Gate"]
