import torch
from torch import nn


class FakeQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, scale, qmin, qmax):
        q = torch.clamp(torch.round(w / scale), qmin, qmax)
        ctx.save_for_backward((w / scale >= qmin) & (w / scale <= qmax))
        return q * scale

    @staticmethod
    def backward(ctx, grad):
        (inside,) = ctx.saved_tensors
        return grad * inside, None, None, None


def per_channel_scale(w, bits=8):
    qmax = 2 ** (bits - 1) - 1
    scale = w.abs().flatten(1).amax(dim=1).clamp(min=1e-8) / qmax
    return scale


class QLinear(nn.Linear):
    def __init__(self, *args, bits=8, **kw):
        super().__init__(*args, **kw)
        self.bits = bits

    def forward(self, x):
        hi = 2 ** (self.bits - 1) - 1
        w = FakeQuant.apply(self.weight, per_channel_scale(self.weight, self.bits), -hi - 1, hi)
        return nn.functional.linear(x, w, self.bias)


def quantize(model, bits=8):
    for name, m in model.named_children():
        if type(m) is nn.Linear:
            q = QLinear(m.in_features, m.out_features, bias=m.bias is not None, bits=bits)
            q.load_state_dict(m.state_dict())
            setattr(model, name, q)
        else:
            quantize(m, bits)
    return model


def main():
    w = torch.randn(6, 10)
    print(FakeQuant.apply(w, per_channel_scale(w, 4), -8, 7).unique().numel())
    model = quantize(nn.Sequential(nn.Linear(10, 6), nn.ReLU(), nn.Linear(6, 2)), bits=4)
    model(torch.randn(3, 10)).sum().backward()


if __name__ == "__main__":
    main()
