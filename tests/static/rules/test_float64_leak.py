"""float64-leak: two tensors with axes, one of them float64."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a sum": "torch.zeros(3) + torch.zeros(3, dtype=torch.float64)  # HERE",
    "a product with half": "torch.zeros(3).half() * torch.zeros(3).double()  # HERE",
    "a method": "torch.zeros(3).double().sub(torch.zeros(3))  # HERE",
    "torch.where": """
        x = torch.randn(3)
        torch.where(x > 0, x, x.double())  # HERE
        """,
    "a mask that is converted": "(torch.zeros(3) > 0).float() * torch.zeros(3).double()  # HERE",
    "a scaled mask, with a tensor": "(torch.zeros(3) > 0) * 0.5 * torch.zeros(3) * torch.zeros(3).double()  # HERE",
    "what where selects from, made elsewhere": """
        def scores():
            return torch.zeros(3)

        x = torch.randn(3).double()
        torch.where(x > 0, x, scores())  # HERE
        """,
}

FOUND |= {
    "float64 that the function creates by dtype": """
        def scaled(x):
            return x * torch.ones(3, dtype=torch.float64)  # HERE

        scaled(torch.zeros(3))
        """,
    "float64 that the function creates": """
        def scaled(x):
            return x * torch.ones(3).double()  # HERE

        scaled(torch.zeros(3))
        """,
    "an input of a model": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(3))

            def forward(self, x):
                return x - self.mean  # HERE

        Net()(torch.zeros(2, 3, dtype=torch.float64))
        """,
}

FOUND |= {
    "data that is made in a function that writes float64": """
        def main():
            std = torch.ones(3, dtype=torch.float64)
            x = torch.randn(2, 3)
            return x / std  # HERE

        main()
        """,
    "the result of a layer in a function that writes float64": """
        def main():
            std = torch.ones(3, dtype=torch.float64)
            return nn.Linear(4, 3)(torch.ones(2, 4)) / std  # HERE

        main()
        """,
}

MESSAGES = (
    "torch.float64 / torch.float32 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 * torch.float32 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 - torch.float32 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 + torch.float32 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 * torch.float16 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 sub torch.float32 promotes to torch.float64; convert the torch.float64 operand",
    "torch.float64 where torch.float32 promotes to torch.float64; convert the torch.float64 operand",
)

QUIET = {
    "tensors that a script casts to float64": """
        sizes = torch.linspace(0.1, 4.0, 40).to(torch.double)
        sizes = sizes * torch.rand(1)
        positions = torch.ones_like(sizes).to(torch.double)
        """,
    "a spectrum in complex128, whose quotient is cast back": """
        def ratio(x, noise):
            spectrum = torch.fft.rfft(x, dim=-1).type(torch.complex128)
            spectrum = spectrum.abs()
            quotient = spectrum / noise**0.5
            return quotient.type(torch.float32)

        ratio(torch.rand(2, 8), torch.rand(2, 5))
        """,
    "a grid between float64 bounds, whose dtype is the default one": """
        def rays(fov):
            limit = torch.asarray(fov, dtype=torch.float64).tan()
            return torch.ones(3, dtype=torch.float64) * torch.linspace(-limit, limit, 3)

        rays(0.5)
        """,
    "a grid in a class whose constructor asks for float64 by a constant of the file": """
        FTYPE = torch.float64

        class Rays:
            def __init__(self, look):
                self.look = torch.asarray(look, dtype=FTYPE)

            def at(self, n):
                return self.look[None] * torch.linspace(-1, 1, n)[:, None]

        Rays((1, 2, 3)).at(4)
        """,
    "a grid that another constructor makes, of a class whose base asks for float64": """
        class Rays:
            def __init__(self, look):
                self.look = torch.asarray(look, dtype=torch.float64)

        class Cone(Rays):
            def __init__(self, look, n):
                super().__init__(look)
                self.grid = torch.linspace(-1, 1, n)

            def all(self):
                return self.look[None] * self.grid[:, None]

        Cone((1, 2, 3), 4).all()
        """,
    "an in-place sum, which keeps float32": "x = torch.zeros(3); x += torch.zeros(3).double()",
    "an in-place sum, which was float64 before": "x = torch.zeros(3).double(); x += torch.zeros(3)",
    "one kind": "torch.zeros(3).double() + torch.zeros(3).double()",
    "float32 and half": "torch.zeros(3) * torch.zeros(3).half()",
    "a scalar does not promote": "torch.zeros(3) + torch.tensor(1.0, dtype=torch.float64)",
    "integers": "torch.zeros(3).double() + torch.arange(3)",
    "a number": "torch.zeros(3).double() * 2.0",
    "an argument that the caller chooses": """
        def interpolated(x, knots):
            return (x - knots) / knots.abs()

        interpolated(torch.zeros(3, dtype=torch.float64), torch.zeros(3))
        """,
    "a class that sums in float64": """
        class Moments:
            def __init__(self):
                self.mean = None

            def update(self, x):
                total = x.sum(dim=0, dtype=torch.float64)
                self.mean = total / len(x)
                return x - self.mean

            def shifted(self, x):
                return self.mean - x.mean(dim=0)

        moments = Moments()
        moments.update(torch.zeros(4, 3))
        moments.shifted(torch.zeros(4, 3))
        """,
    "a scaled mask": "(torch.zeros(3) > 0) * 0.5 * torch.zeros(3).double()",
    "the quotient of integers": "torch.sqrt(torch.arange(3) / 4).unsqueeze(-1) * torch.zeros(3).double()",
    "what where puts in the place of other elements": """
        x = torch.randn(3).double()
        zero = torch.zeros(3)
        torch.where(x > 0, x, torch.ones(3)) * torch.where(x > 0, zero, x)
        """,
    "noise in a function that writes float64": """
        def points():
            start = torch.rand(3, dtype=torch.float64)
            return start + (torch.rand(3) * 2 - 1) * 0.2

        points()
        """,
    "weights in a function that writes float64": """
        def penalized(p):
            p = p.to(torch.float64)
            penalty = torch.ones(p.shape).to(p.device)
            penalty[-1] += 2
            p /= penalty
            return p / penalty

        penalized(torch.zeros(3))
        """,
    "the identity in a function that writes float64": """
        def damped():
            matrix = torch.ones(2, 2, dtype=torch.float64)
            return torch.linalg.eigh(matrix + 2e-6 * torch.eye(2))

        damped()
        """,
    "the identity in a model that a caller builds for float64": """
        class Cell(nn.Module):
            def __init__(self, n, dtype=torch.float32):
                super().__init__()
                self.n = n
                self.register_buffer("start", torch.zeros(n, n, dtype=dtype))

            def forward(self, x):
                s = x.to(self.start.dtype)
                return torch.mm(s.t(), s) + 0.01 * torch.eye(self.n)

        def run(dtype=torch.float64):
            Cell(4, dtype=dtype)(torch.zeros(8, 4))

        run()
        """,
    "the identity in a model that keeps float64": """
        class Cell(nn.Module):
            def __init__(self, n, dtype=torch.float32):
                super().__init__()
                self.n = n
                self.dtype = dtype

            def forward(self, x):
                s = x.to(self.dtype)
                return torch.mm(s.t(), s) + 0.01 * torch.eye(self.n)

        Cell(4, dtype=torch.float64)(torch.zeros(8, 4))
        """,
    "converted": "torch.zeros(3) + torch.zeros(3).double().float()",
    "a product of several casts": "torch.mm(torch.zeros(3, 3).double(), torch.eye(3).double()) + torch.zeros(3)",
    "a mask of a layer in float64": """
        class Kernel(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.kernel = nn.Parameter(torch.Tensor(n, 1).double())

            def constrained(self):
                mask = torch.tensor([[0.0], [1.0], [1.0]])
                return torch.maximum(self.kernel.data, self.kernel.data * mask)

        Kernel(3).constrained()
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "float64-leak")
    assert text in MESSAGES


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
