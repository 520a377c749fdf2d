import torch


def symptom(mod):
    """True when the target is not a column."""
    critic = lambda o, a: (o[:, :1], o[:, :1])
    r = torch.arange(4.0)
    return mod.bellman_target(critic, r, r * 0, torch.ones(4, 3), None).shape != (4, 1)
