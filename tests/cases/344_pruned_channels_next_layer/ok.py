import torch
import torch.nn.functional as F
from torch import nn


class VGG(nn.Module):
    def __init__(self, plan=(16, "M", 32, "M", 32), classes=4):
        super().__init__()
        layers, width = [], 3
        for item in plan:
            if item == "M":
                layers.append(nn.MaxPool2d(2))
            else:
                layers += [nn.Conv2d(width, item, 3, padding=1), nn.BatchNorm2d(item), nn.ReLU()]
                width = item
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(width, classes)

    def forward(self, x):
        for layer in self.features:
            x = layer(x)
        return self.classifier(F.adaptive_avg_pool2d(x, 1).flatten(1))


def keep_channels(norm, share):
    count = max(1, int(norm.num_features * share))
    return norm.weight.detach().abs().topk(count).indices.sort().values


def prune_output(conv, index):
    new = nn.Conv2d(conv.in_channels, len(index), conv.kernel_size, conv.stride, conv.padding)
    new.weight.data.copy_(conv.weight.data[index])
    new.bias.data.copy_(conv.bias.data[index])
    return new


def prune_input(conv, index):
    new = nn.Conv2d(len(index), conv.out_channels, conv.kernel_size, conv.stride, conv.padding)
    new.weight.data.copy_(conv.weight.data[:, index])
    new.bias.data.copy_(conv.bias.data)
    return new


def prune_norm(norm, index):
    new = nn.BatchNorm2d(len(index))
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(new, name).data.copy_(getattr(norm, name).data[index])
    return new


class Pruner:
    def __init__(self, model, share=0.5):
        self.model, self.share = model, share

    def convolutions(self):
        return [i for i, layer in enumerate(self.model.features) if isinstance(layer, nn.Conv2d)]

    def run(self):
        features = self.model.features
        places = self.convolutions()
        for at, following in zip(places[:-1], places[1:]):
            index = keep_channels(features[at + 1], self.share)
            features[at] = prune_output(features[at], index)
            features[at + 1] = prune_norm(features[at + 1], index)
            features[following] = prune_input(features[following], index)
        return self.model


def main():
    model = VGG()
    for norm in (m for m in model.modules() if isinstance(m, nn.BatchNorm2d)):
        nn.init.uniform_(norm.weight)
    images = torch.rand(2, 3, 32, 32)
    before = sum(p.numel() for p in model.parameters())
    model(images)
    Pruner(model).run()
    print(before, sum(p.numel() for p in model.parameters()), model(images).shape)


if __name__ == "__main__":
    main()
