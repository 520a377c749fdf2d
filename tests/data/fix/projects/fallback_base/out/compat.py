try:
    from missing_backend import Module
except ImportError:
    from torch.nn import Module
