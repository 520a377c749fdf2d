import torch


def symptom(mod):
    """True when a row of weight zero counts."""
    fitter = mod.Fitter(mod.TabularNet(), loss="mse")
    batch = {"y": torch.zeros(2, 1), "w": torch.tensor([0.0, 1.0])}
    return fitter.batch_loss(torch.tensor([[5.0], [0.0]]), batch).item() != 0.0
