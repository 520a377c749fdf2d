import torch


def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return not torch.allclose(mod.Router()(torch.randn(4, 3)).sum(-1), torch.ones(4))
