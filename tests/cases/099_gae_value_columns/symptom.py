import torch


def symptom(mod):
    """True when the errors are not one number per step."""
    t = 5
    return mod.td_errors(torch.ones(t), torch.zeros(t, 1), torch.zeros(1, 1)).numel() != t
