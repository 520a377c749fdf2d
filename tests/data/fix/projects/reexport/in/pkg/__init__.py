from pkg.layers import Block as Layer
from pkg.layers import *

__all__ = ["Layer", "Gate"]
