import torch


def run(model, x):
    return model.forward(x)  # finding: note


def pick(models):
    return models[0].forward(torch.zeros(1))  # finding: note
