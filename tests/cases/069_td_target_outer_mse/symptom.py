import torch


def symptom(mod):
    """True when exact values do not give zero loss."""
    r = torch.tensor([0.0, 1.0, 2.0, 3.0])
    s = torch.stack([r, r], 1)
    a = torch.zeros(4, dtype=torch.long)
    ident = lambda x: x
    return mod.td_loss(ident, ident, s, a, r, s, torch.ones(4)).item() > 0
