"""Recurrent networks, graphs, speech."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Complex, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self, vocab: int = 50, emb: int = 12, hidden: int = 16, tags: int = 7) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, words: Int[Tensor, "b t"]) -> Float[Tensor, "b t tags"]:
        states, _ = self.lstm(self.emb(words))
        return self.out(states)


class TaggerTimeFirst(nn.Module):
    """Forgot batch_first: runs over the batch as if it were time."""

    def __init__(self, vocab: int = 50, emb: int = 12, hidden: int = 16, tags: int = 7) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.lstm = nn.LSTM(emb, hidden, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, words: Int[Tensor, "b t"]) -> Float[Tensor, "b t tags"]:
        states, _ = self.lstm(self.emb(words))  # planted: batch-dependence
        return self.out(states)


class Packed(nn.Module):
    def __init__(self, vocab: int = 50, emb: int = 12, hidden: int = 16, classes: int = 3) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, words: Int[Tensor, "b t"], lengths: Int[Tensor, "b"]) -> Float[Tensor, "b classes"]:
        packed = pack_padded_sequence(self.emb(words), lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, last = self.gru(packed)
        return self.out(last[-1])


class PackedSorted(nn.Module):
    """Wants sorted lengths, and gives the padded states back."""

    def __init__(self, vocab: int = 50, emb: int = 12, hidden: int = 16) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True)

    def forward(self, words: Int[Tensor, "b t"], lengths: Int[Tensor, "b"]) -> Float[Tensor, "b t hidden"]:
        packed = pack_padded_sequence(self.emb(words), lengths.cpu(), batch_first=True)
        states, _ = self.lstm(packed)
        return pad_packed_sequence(states, batch_first=True, total_length=words.shape[1])[0]


class PackedTrimmed(nn.Module):
    """Gives as many steps as the longest sequence has."""

    def __init__(self, vocab: int = 50, emb: int = 12, hidden: int = 16) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden)

    def forward(self, words: Int[Tensor, "t b"], lengths: Int[Tensor, "b"]) -> Float[Tensor, "b t hidden"]:
        packed = pack_padded_sequence(self.emb(words), lengths.cpu(), enforce_sorted=False)
        states, _ = self.lstm(packed)
        return pad_packed_sequence(states)[0]  # planted: shape-mismatch


class Decoder(nn.Module):
    """One step: token and state in, logits and state out."""

    def __init__(self, vocab: int = 40, hidden: int = 16, layers: int = 2) -> None:
        super().__init__()
        self.layers = layers
        self.emb = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden, layers)
        self.out = nn.Linear(hidden, vocab)

    def forward(
        self, token: Int[Tensor, "1 b"], state: Float[Tensor, "layers b hidden"] | None = None
    ) -> tuple[Float[Tensor, "1 b vocab"], Float[Tensor, "layers b hidden"]]:
        y, state = self.gru(self.emb(token), state)
        return self.out(y), state


class DecoderState(nn.Module):
    """The first state is for a batch of 1."""

    def __init__(self, vocab: int = 40, hidden: int = 16) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, token: Int[Tensor, "t b"]) -> Float[Tensor, "t b vocab"]:
        state = torch.zeros(1, 8, self.gru.hidden_size, device=token.device)
        y, _ = self.gru(self.emb(token), state)  # planted: hard-coded-size
        return self.out(y)


class GraphLayer(nn.Module):
    def __init__(self, d_in: int = 8, d_out: int = 12) -> None:
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(
        self, x: Float[Tensor, "nodes d_in"], edge_index: Int[Tensor, "2 edges"]
    ) -> Float[Tensor, "nodes d_out"]:
        source, target = edge_index
        messages = self.lin(x)[source]
        out = messages.new_zeros(x.shape[0], messages.shape[1])
        return out.index_add(0, target, messages)


class GraphLayerCount(nn.Module):
    """Counts nodes by what the edges name."""

    def __init__(self, d_in: int = 8, d_out: int = 12) -> None:
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(
        self, x: Float[Tensor, "nodes d_in"], edge_index: Int[Tensor, "2 edges"]
    ) -> Float[Tensor, "nodes d_out"]:
        source, target = edge_index
        messages = self.lin(x)[source]
        out = messages.new_zeros(edge_index.shape[1], messages.shape[1])
        return out.index_add(0, target, messages)  # planted: shape-mismatch


class GraphConvNorm(nn.Module):
    def __init__(self, features: int = 8) -> None:
        super().__init__()
        self.lin = nn.Linear(features, features, bias=False)

    def forward(
        self,
        x: Float[Tensor, "n features"],
        edge_index: Int[Tensor, "2 e"],
        edge_weight: Float[Tensor, "e"] | None = None,
    ) -> Float[Tensor, "n features"]:
        row, col = edge_index[0], edge_index[1]
        if edge_weight is None:
            edge_weight = x.new_ones(row.shape[0])
        degree = torch.zeros(x.shape[0], device=x.device).scatter_add_(0, col, edge_weight.abs()).clamp(min=1)
        h = self.lin(x)
        messages = h[row] * edge_weight.unsqueeze(-1)
        return messages.new_zeros(h.shape).index_add_(0, col, messages) / degree.unsqueeze(1)


class GraphConvNormWeight(nn.Module):
    """The weights of edges have one axis less than messages."""

    def __init__(self, features: int = 8) -> None:
        super().__init__()
        self.lin = nn.Linear(features, features, bias=False)

    def forward(
        self, x: Float[Tensor, "n features"], edge_index: Int[Tensor, "2 e"], edge_weight: Float[Tensor, "e"]
    ) -> Float[Tensor, "n features"]:
        row, col = edge_index[0], edge_index[1]
        h = self.lin(x)
        return torch.zeros_like(h).index_add_(0, col, h[row] * edge_weight)  # planted: shape-mismatch


class Spectrogram(nn.Module):
    """A front of a speech model: waves to log-mel."""

    def __init__(self, n_fft: int = 64, hop: int = 16, mels: int = 20) -> None:
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("bank", torch.rand(mels, n_fft // 2 + 1))

    def forward(self, wave: Float[Tensor, "b samples"]) -> Float[Tensor, "b mels 1+samples//{self.hop}"]:
        spec = torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True)
        return (self.bank @ spec.abs().pow(2)).clamp(min=1e-6).log()


class SpectrogramFrames(nn.Module):
    """One frame more than it says."""

    def __init__(self, n_fft: int = 64, hop: int = 16, mels: int = 20) -> None:
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("bank", torch.rand(mels, n_fft // 2 + 1))

    def forward(self, wave: Float[Tensor, "b samples"]) -> Float[Tensor, "b mels samples//{self.hop}"]:
        spec = torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True)
        return (self.bank @ spec.abs().pow(2)).clamp(min=1e-6).log()  # planted: shape-mismatch


class FourierLayer(nn.Module):
    def __init__(self, width: int = 8, modes: int = 3) -> None:
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(width, width, modes, dtype=torch.cfloat))

    def forward(self, x: Float[Tensor, "b width n"]) -> Float[Tensor, "b width n"]:
        spectrum = torch.fft.rfft(x)
        out = torch.zeros_like(spectrum)
        m = min(self.modes, spectrum.shape[-1])
        out[..., :m] = torch.einsum("bim,iom->bom", spectrum[..., :m], self.weight[..., :m])
        return torch.fft.irfft(out, n=x.shape[-1])


class FourierLayerOdd(nn.Module):
    """Forgets the length: an odd one comes back even."""

    def __init__(self, width: int = 8, modes: int = 2) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width, 1))

    def forward(self, x: Float[Tensor, "b width n"]) -> Float[Tensor, "b width n"]:
        return torch.fft.irfft(torch.fft.rfft(x) * self.scale)  # planted: shape-mismatch


class Phase(nn.Module):
    """Complex in, complex out."""

    def __init__(self, bins: int = 9) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(bins))

    def forward(self, spec: Complex[Tensor, "b bins frames"]) -> Complex[Tensor, "b bins frames"]:
        return spec * torch.polar(torch.ones_like(self.shift), self.shift)[:, None]


class PhaseReal(nn.Module):
    def __init__(self, bins: int = 9) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.ones(bins))

    def forward(self, spec: Complex[Tensor, "b bins frames"]) -> Complex[Tensor, "b bins frames"]:
        return spec.abs() * self.shift[:, None]  # planted: dtype-mismatch


class Causal1d(nn.Module):
    """A dilated stack of a TCN; the time axis keeps its length."""

    def __init__(self, channels: int = 6, kernel: int = 3, levels: int = 3) -> None:
        super().__init__()
        self.kernel = kernel
        self.layers = nn.ModuleList(nn.Conv1d(channels, channels, kernel, dilation=2**i) for i in range(levels))

    def forward(self, x: Float[Tensor, "b channels t"]) -> Float[Tensor, "b channels t"]:
        for i, layer in enumerate(self.layers):
            x = x + F.relu(layer(F.pad(x, ((self.kernel - 1) * 2**i, 0))))
        return x


class Causal1dShort(nn.Module):
    """No padding: the sum does not fit."""

    def __init__(self, channels: int = 6, kernel: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, kernel)

    def forward(self, x: Float[Tensor, "b channels t"]) -> Float[Tensor, "b channels t"]:
        return x + self.conv(x)  # planted: shape-mismatch


class Upsample1d(nn.Module):
    def __init__(self, channels: int = 6) -> None:
        super().__init__()
        self.up = nn.ConvTranspose1d(channels, channels, 3, stride=2)

    def forward(self, x: Float[Tensor, "b channels t"]) -> Float[Tensor, "b channels 2*t+1"]:
        return self.up(x)


class Upsample1dOff(nn.Module):
    def __init__(self, channels: int = 6) -> None:
        super().__init__()
        self.up = nn.ConvTranspose1d(channels, channels, 4, stride=2, padding=1)

    def forward(self, x: Float[Tensor, "b channels t"]) -> Float[Tensor, "b channels 2*t+1"]:
        return self.up(x)  # planted: shape-mismatch


class MaskedPool(nn.Module):
    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        weights = mask.unsqueeze(-1).to(x.dtype)
        return (self.fc(x) * weights).sum(1) / weights.sum(1).clamp(min=1)


class MaskedPoolIndex(nn.Module):
    """Picks what the mask lets through: the rows of a batch run into one another."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        return self.fc(x[mask])  # planted: shape-mismatch


class Ctc(nn.Module):
    """A loss over lengths."""

    def __init__(self, features: int = 10, classes: int = 6) -> None:
        super().__init__()
        self.fc = nn.Linear(features, classes)

    def forward(
        self,
        x: Float[Tensor, "t b features"],
        targets: Int[Tensor, "b s"],
        input_lengths: Int[Tensor, "b"],
        target_lengths: Int[Tensor, "b"],
    ) -> Float[Tensor, ""]:
        logp = self.fc(x).log_softmax(-1)
        return F.ctc_loss(logp, targets.clamp(min=1), input_lengths, target_lengths, zero_infinity=True)
