import torch


def symptom(mod):
    """True when a later token changes the logits of an earlier position."""
    torch.manual_seed(0)
    model = mod.LanguageModel(mod.EncoderConfig()).eval()
    ids = torch.randint(0, 50, (1, 12))
    before = model(ids)
    ids[0, -1] = (ids[0, -1] + 1) % 50
    return not torch.allclose(before[:, :-1], model(ids)[:, :-1], atol=1e-5)
