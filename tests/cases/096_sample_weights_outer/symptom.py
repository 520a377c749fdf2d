import torch


def symptom(mod):
    """True when samples of weight zero count."""
    pred = torch.tensor([[1.0], [0.0]])
    return mod.weighted_loss(pred, torch.zeros(2, 1), torch.tensor([0.0, 1.0])).item() != 0.0
