import torch


def symptom(mod):
    """True when changing a frame of one utterance changes the lattice of another."""
    joint = mod.Joint(16, 12)
    encoded, predicted = torch.randn(8, 8, 16), torch.randn(8, 8, 16)
    before = joint(encoded, predicted)
    encoded[0] += 1.0
    return not torch.equal(before[1:], joint(encoded, predicted)[1:])
