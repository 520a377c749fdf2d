import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, ids):
        return self.rnn(self.embed(ids))


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def step(self, token, state):
        y, state = self.rnn(self.embed(token), state)
        return self.out(y[:, -1]).log_softmax(-1), state


class BeamSearch:
    def __init__(self, decoder, beams=3, bos=1, eos=2, limit=6):
        self.decoder, self.beams, self.bos, self.eos, self.limit = decoder, beams, bos, eos, limit

    def start(self, state):
        batch = state.shape[1]
        tokens = torch.full((batch * self.beams, 1), self.bos)
        scores = torch.full((batch, self.beams), float("-inf"))
        scores[:, 0] = 0.0
        state = state.repeat_interleave(self.beams, dim=1)
        return tokens, scores, state

    def advance(self, tokens, scores, state):
        logp, state = self.decoder.step(tokens[:, -1:], state)
        batch, vocab = scores.shape[0], logp.shape[-1]
        total = scores[:, :, None] + logp.view(batch, self.beams, vocab)
        scores, flat = total.flatten(1).topk(self.beams, dim=1)
        origin = torch.div(flat, vocab, rounding_mode="floor")
        rows = (origin + self.beams * torch.arange(batch)[:, None]).flatten()
        tokens = torch.cat([tokens[rows], (flat % vocab).view(-1, 1)], dim=1)
        return tokens, scores, state.index_select(1, rows)

    @torch.no_grad()
    def __call__(self, state):
        tokens, scores, state = self.start(state)
        for _ in range(self.limit):
            tokens, scores, state = self.advance(tokens, scores, state)
        best = scores.argmax(dim=1)
        return tokens.view(-1, self.beams, tokens.shape[1])[torch.arange(len(best)), best]


class Translator(nn.Module):
    def __init__(self, source=30, target=40, dim=24):
        super().__init__()
        self.encoder, self.decoder = Encoder(source, dim), Decoder(target, dim)

    def translate(self, ids, beams=3):
        _, state = self.encoder(ids)
        return BeamSearch(self.decoder, beams)(state)


def main():
    torch.manual_seed(1)
    model = Translator().eval()
    print(model.translate(torch.randint(0, 30, (4, 7))))


if __name__ == "__main__":
    main()
