import torch


def symptom(mod):
    """True when exact predictions leave a loss."""
    r = torch.arange(5.0)[:, None]
    batch = mod.Batch(torch.zeros(5, 8), torch.zeros(5, 2), r)
    return mod.reward_loss(lambda o, a: r[:, 0], batch).item() > 0
