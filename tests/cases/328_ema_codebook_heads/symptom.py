import torch


def symptom(mod):
    """True when the sum of one head's counts changes."""
    counts = torch.arange(1.0, 10.0).view(3, 3)
    return not torch.allclose(mod.smooth(counts).sum(-1), counts.sum(-1), rtol=1e-3)
