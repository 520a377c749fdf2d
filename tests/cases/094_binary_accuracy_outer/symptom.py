import torch


def symptom(mod):
    """True when a perfect model does not have accuracy one."""
    x = torch.tensor([[-9.0], [9.0], [9.0], [-9.0]])
    y = (x[:, 0] > 0).long()
    return mod.accuracy(torch.nn.Identity(), [(x, y)]) != 1.0
