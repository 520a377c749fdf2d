import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.accuracy(torch.eye(2), torch.zeros(2)).item() != 1
