import torch


def symptom(mod):
    """True when a perfect prediction has no dice of one."""
    m = torch.zeros(2, 4, 4)
    m[0, :2], m[1, :3] = 1, 1
    return abs(mod.dice_loss(m[:, None], m).item()) > 1e-6
