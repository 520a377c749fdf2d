import torch


def symptom(mod):
    """True when each step is compared with the values of all steps."""
    model = mod.ActorCritic(6)
    _, errors = mod.losses(model, torch.randn(5, 6), torch.zeros(5, dtype=torch.long), torch.ones(5))
    return errors.numel() != 5
