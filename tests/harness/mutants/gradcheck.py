"""Functions with a gradient of their own that is wrong."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class _Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x.sigmoid()
        ctx.save_for_backward(x)
        # mutant result_saved: ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        gate = x.sigmoid()
        # mutant another_gate: gate = x.tanh()
        return grad * (gate + x * gate * (1 - gate))
        # mutant second_term_forgotten: return grad * gate
        # mutant sign: return grad * (gate - x * gate * (1 - gate))
        # mutant factor: return 2 * grad * (gate + x * gate * (1 - gate))


class _Scale(torch.autograd.Function):
    @staticmethod
    def forward(x, scale):
        return x * scale

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        to_x, to_scale = grad * scale, (grad * x).sum(0)
        # mutant mean_for_sum: to_x, to_scale = grad * scale, (grad * x).mean(0)
        # mutant input_forgotten: to_x, to_scale = grad * scale, grad.sum(0)
        # mutant scale_forgotten: to_x, to_scale = grad, (grad * x).sum(0)
        # mutant squared_scale: to_x, to_scale = grad * scale * scale, (grad * x).sum(0)
        return to_x, to_scale


class _Normalize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        norm = x.norm(dim=-1, keepdim=True)
        y = x / norm
        ctx.save_for_backward(y, norm)
        return y

    @staticmethod
    def backward(ctx, grad):
        y, norm = ctx.saved_tensors
        return (grad - y * (grad * y).sum(-1, keepdim=True)) / norm
        # mutant projection_forgotten: return grad / norm
        # mutant norm_forgotten: return grad - y * (grad * y).sum(-1, keepdim=True)


class _Rounded(torch.autograd.Function):
    """A straight-through estimator: its gradient is not its derivative, which is 0."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


class _Reversed(torch.autograd.Function):
    """Reverses the gradient, as domain-adversarial training does."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class Net(nn.Module):
    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.full((dim,), 1.5))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        y = _Swish.apply(_Scale.apply(self.fc(x), self.scale))
        return _Normalize.apply(y) + _Rounded.apply(_Reversed.apply(y))
