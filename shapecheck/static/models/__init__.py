"""Models of libraries: Python's own, numpy, torch.nn, torch.distributions and data loaders."""
