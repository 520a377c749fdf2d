import torch


def symptom(mod):
    """True when the model returns outputs that do not line up."""
    mean, log_var = mod.Probabilistic()(torch.randn(3, 4))
    return mean.shape != log_var.shape
