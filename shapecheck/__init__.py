"""shapecheck makes tensor shapes checkable for people who write PyTorch."""

__version__ = "0.1.0"
