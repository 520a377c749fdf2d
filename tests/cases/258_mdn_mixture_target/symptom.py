import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.nll(torch.zeros(4, 2), torch.zeros(4, 2), torch.ones(4, 2), torch.arange(4.0)).shape != (4,)
