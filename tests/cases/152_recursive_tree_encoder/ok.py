import torch
from torch import nn

TREE = (("the", "cat"), ("sat", ("on", ("the", "mat"))))


def words(tree):
    if isinstance(tree, str):
        return {tree}
    return set().union(*(words(t) for t in tree))


class TreeRNN(nn.Module):
    def __init__(self, vocab, dim=16, classes=5):
        super().__init__()
        self.ids = {w: i for i, w in enumerate(sorted(vocab))}
        self.emb = nn.Embedding(len(vocab), dim)
        self.merge = nn.Linear(2 * dim, dim)
        self.out = nn.Linear(dim, classes)

    def encode(self, tree):
        if isinstance(tree, str):
            return self.emb(torch.tensor(self.ids[tree]))
        left, right = tree
        return torch.tanh(self.merge(torch.cat([self.encode(left), self.encode(right)])))

    def forward(self, tree):
        return self.out(self.encode(tree))


def main():
    model = TreeRNN(words(TREE))
    logits = model(TREE)
    print(nn.functional.cross_entropy(logits[None], torch.tensor([3])).item())


if __name__ == "__main__":
    main()
