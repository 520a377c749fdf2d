import torch


def symptom(mod):
    """True when tau weighs the targets."""
    theta, target = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 1.0]])
    tau = torch.tensor([0.1, 0.9])
    got = mod.quantile_loss(theta, target, tau).item()
    h = torch.tensor([2.5, 0.5]).mean().item()
    return abs(got - (0.1 * h + 0.9 * h)) > 1e-5
