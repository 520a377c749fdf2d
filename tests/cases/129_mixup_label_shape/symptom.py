import torch


def symptom(mod):
    """True when a sample with lam 1 sees another sample's loss."""
    logits = torch.tensor([[20.0, 0.0], [20.0, 0.0]])
    y = torch.tensor([0, 1])
    got = mod.mixup_loss(logits, y, y * 0, torch.tensor([1.0, 0.0])).item()
    return got > 1e-3
