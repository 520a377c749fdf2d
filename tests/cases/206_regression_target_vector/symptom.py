import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.per_item(torch.zeros(3, 1), torch.arange(3.0)).dim() == 2
