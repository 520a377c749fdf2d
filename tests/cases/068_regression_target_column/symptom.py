import torch


def symptom(mod):
    """True when perfect predictions do not give zero loss."""
    x = torch.arange(5.0)[:, None]
    return mod.batch_loss(torch.nn.Identity(), x, x[:, 0]).item() > 0
