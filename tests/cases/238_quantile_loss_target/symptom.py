import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.pinball(torch.arange(9.0).view(3, 3) ** 1.5, torch.arange(3.0), torch.tensor([0.1, 0.5, 0.9])).item() != mod.reference(torch.arange(9.0).view(3, 3) ** 1.5, torch.arange(3.0), torch.tensor([0.1, 0.5, 0.9])).item()
