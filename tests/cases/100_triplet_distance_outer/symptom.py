import torch


def symptom(mod):
    """True when the loss mixes triplets."""
    e = torch.eye(4)
    a = e[[0, 1]]
    p = torch.stack([e[0], e[1] * 3])
    n = torch.stack([e[0], e[2]])
    got = mod.triplet_loss(a, p, n).item()
    return abs(got - (0.3 + 1.3) / 2) > 1e-3
