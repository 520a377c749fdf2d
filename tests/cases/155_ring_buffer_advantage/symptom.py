import torch


def symptom(mod):
    """True when exact values leave a loss."""
    r = torch.arange(4.0)
    return mod.value_loss(lambda o: r[:, None], r[:, None], r, r).item() > 0
