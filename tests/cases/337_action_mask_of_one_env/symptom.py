import torch


def symptom(mod):
    """True when a player without a choice contributes entropy."""
    mask = torch.tensor([[True, True], [True, False]])
    dist = mod.MaskedCategorical(torch.zeros(2, 2), mask)
    wanted = dist.entropy()[0] / 2
    return not torch.allclose(mod.entropy_bonus(dist, mask), wanted)
