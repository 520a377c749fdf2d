import math
import torch


def symptom(mod):
    """True when the exact solution has a residual."""
    x = torch.linspace(0.1, 0.9, 7)[:, None].requires_grad_()
    return mod.residual_loss(lambda x: torch.sin(math.pi * x), x).item() > 1e-6
