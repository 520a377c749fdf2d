import torch


def symptom(mod):
    """True when a row of the normalized matrix does not sum to one."""
    matrix = mod.ConfusionMatrix(3)
    result = matrix(torch.tensor([0, 1, 1, 2, 0, 0]), torch.tensor([0, 0, 0, 0, 1, 2]))
    return not torch.allclose(result.sum(1), torch.ones(3))
