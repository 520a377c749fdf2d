import torch


def symptom(mod):
    """True when a prototype has another norm than one."""
    prototypes = mod.Prototypes(4, 3)
    prototypes.renormalize()
    return not torch.allclose(prototypes.weight.norm(dim=1), torch.ones(3))
