import torch


def symptom(mod):
    """True when the rows do not sum to one."""
    k = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
    return not torch.allclose(mod.random_walk(k).sum(dim=1), torch.ones(2))
