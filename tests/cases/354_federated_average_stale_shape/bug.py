from collections import OrderedDict
from copy import deepcopy

import torch
from torch import nn

CLIENTS = {"north": 3, "south": 5, "west": 3}


def make_model(classes, width=16):
    return nn.Sequential(
        OrderedDict(
            body=nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()),
            head=nn.Linear(width, classes),
        )
    )


class Client:
    def __init__(self, name, classes, rows=40):
        self.name = name
        self.model = make_model(classes)
        self.x, self.y = torch.randn(rows, 10), torch.randint(0, classes, (rows,))

    def load(self, weights):
        own = self.model.state_dict()
        own.update({k: v.clone() for k, v in weights.items()})
        self.model.load_state_dict(own)

    def train(self, steps=3, lr=0.05):
        opt = torch.optim.SGD(self.model.parameters(), lr=lr)
        for _ in range(steps):
            pick = torch.randint(0, len(self.x), (16,))
            loss = nn.functional.cross_entropy(self.model(self.x[pick]), self.y[pick])
            opt.zero_grad()
            loss.backward()
            opt.step()
        return deepcopy(self.model.state_dict()), len(self.x)


def shared_names(state):
    return list(state)


def average(updates):
    total = sum(rows for _, rows in updates)
    first, _ = updates[0]
    result = OrderedDict((name, torch.zeros_like(first[name])) for name in shared_names(first))
    for state, rows in updates:
        for name in result:
            result[name] += state[name] * (rows / total)
    return result


class Server:
    def __init__(self, clients):
        self.clients = clients
        self.weights = OrderedDict()

    def round(self):
        updates = []
        for client in self.clients:
            client.load(self.weights)
            updates.append(client.train())
        self.weights = average(updates)

    @torch.no_grad()
    def accuracy(self):
        hits = [(c.model(c.x).argmax(1) == c.y).float().mean() for c in self.clients]
        return torch.stack(hits).mean().item()


def main(rounds=2):
    server = Server([Client(name, classes) for name, classes in CLIENTS.items()])
    for _ in range(rounds):
        server.round()
    print(server.accuracy())


if __name__ == "__main__":
    main()
