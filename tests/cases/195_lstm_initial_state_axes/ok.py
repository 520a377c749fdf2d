import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, feat_dim=20, vocab=40, dim=12, hidden=24, layers=2):
        super().__init__()
        self.layers, self.hidden = layers, hidden
        self.init_h = nn.Linear(feat_dim, layers * hidden)
        self.init_c = nn.Linear(feat_dim, layers * hidden)
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, hidden, num_layers=layers, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def init_state(self, feats):
        shape = feats.size(0), self.layers, self.hidden
        h = self.init_h(feats).view(shape).transpose(0, 1).contiguous()
        c = self.init_c(feats).view(shape).transpose(0, 1).contiguous()
        return torch.tanh(h), c

    def forward(self, feats, captions):
        state = self.init_state(feats)
        out, _ = self.lstm(self.emb(captions[:, :-1]), state)
        return self.out(out)


def main():
    model = Captioner()
    feats, caps = torch.randn(5, 20), torch.randint(0, 40, (5, 11))
    logits = model(feats, caps)
    loss = nn.functional.cross_entropy(logits.reshape(-1, logits.size(-1)), caps[:, 1:].reshape(-1))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
