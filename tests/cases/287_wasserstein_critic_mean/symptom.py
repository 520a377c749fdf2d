import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.weighted(torch.zeros(4, 1), torch.zeros(4)).dim() == 2
