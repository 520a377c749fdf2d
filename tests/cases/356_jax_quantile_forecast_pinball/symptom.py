import torch


def symptom(mod):
    """True when each quantile is compared with the target of another step."""
    error = mod.PinballLoss().errors(torch.zeros(1, 3, 3), torch.tensor([[1.0, 2.0, 3.0]]))
    return error[0, 0].tolist() != [1.0, 1.0, 1.0]
