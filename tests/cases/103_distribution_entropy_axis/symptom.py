import torch
from torch.distributions import Categorical


def symptom(mod):
    """True when exact values leave a loss."""
    r = torch.arange(4.0)
    net = lambda obs: (Categorical(logits=torch.zeros(4, 3)), r[:, None])
    return abs(mod.a2c_loss(net, None, torch.zeros(4, dtype=torch.long), r, beta=0.0).item()) > 1e-6
