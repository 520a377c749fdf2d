import torch


def symptom(mod):
    """True when right labels count as changed."""
    x = torch.tensor([[0.0, 0.0], [5.0, 5.0], [0.1, 0.0]])
    return mod.changed(x, x[:2], torch.tensor([0, 1, 0])) != 0
