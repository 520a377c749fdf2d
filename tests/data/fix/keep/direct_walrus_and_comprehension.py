import torch


def run(models, x):
    if (model := models[0]) is not None:
        x = model.forward(x)  # finding: note
    return [m.forward(torch.relu(x)) for m in models]  # finding: note
