"""Arguments at the call, names in the body, and results: what jaxtyping refuses is found, what it takes is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.contracts.programs import assert_found, assert_quiet, run_typechecked

FOUND = {
    "an argument of another rank": (
        """
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
            return x.sum(-1)

        def main():
            f(torch.zeros(2, 3, 4))  # HERE
        """,
        'argument "x" of f: expected 2 dimensions (',
    ),
    "a name that two arguments bind": (
        """
        def f(x: Float[Tensor, "b d"], y: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
            return x + y

        def main():
            f(torch.zeros(2, 3), torch.zeros(2, 4))  # HERE
        """,
        'expected dimension 1 ("d") to be 3, got 4',
    ),
    "names mixed up in the body": (
        """
        def f(x: Float[Tensor, "b c"], y: Float[Tensor, "t c"]) -> Float[Tensor, "b c"]:
            return x + y  # HERE

        def main():
            f(torch.zeros(2, 3), torch.zeros(4, 3))
        """,
        "",
    ),
    "a transposed result": (
        """
        def f(x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
            return x.T  # HERE

        def main():
            f(torch.zeros(2, 3))
        """,
        'return value: expected dimension 0 ("b") to be b, got t',
    ),
    "another name than is due": (
        """
        def f(x: Float[Tensor, "b c"], w: Float[Tensor, "c d"]) -> Float[Tensor, "b d"]:
            return x * w.sum(1)  # HERE

        def main():
            f(torch.zeros(2, 3), torch.zeros(3, 5))
        """,
        'expected dimension 1 ("d") to be d, got c',
    ),
    "a body that nobody calls": (
        """
        def f(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]:
            return x.mean(0)  # HERE

        def main():
            f(torch.zeros(2, 3, 4))
        """,
        'return value: expected dimension 0 ("b") to be b, got t',
    ),
    "an expression over names": (
        """
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b 2*d"]:
            return torch.cat((x, x, x), dim=1)  # HERE

        def main():
            f(torch.zeros(2, 3))
        """,
        'expected dimension 1 ("2*d") to be 2*d, got 3*d',
    ),
    "the value of an attribute at the call": (
        """
        class Net(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                self.dim = dim
                self.fc = nn.Linear(dim, 2 * dim)

            def forward(self, x: Float[Tensor, "b {self.dim}"]) -> Float[Tensor, "b 2*{self.dim}"]:
                return self.fc(x)

        def main():
            Net(8)(torch.zeros(2, 9))  # HERE
        """,
        'expected dimension 1 ("{self.dim}") to be 8, got 9',
    ),
    "the value of an attribute in the body": (
        """
        class Net(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                self.dim = dim
                self.fc = nn.Linear(dim, 2 * dim)

            def forward(self, x: Float[Tensor, "b {self.dim}"]) -> Float[Tensor, "b {self.dim}"]:
                return self.fc(x)  # HERE

        def main():
            Net(8)(torch.zeros(2, 8))
        """,
        'expected dimension 1 ("{self.dim}") to be dim, got 2*dim',
    ),
    "an int parameter in an annotation": (
        """
        def f(n: int, x: Float[Tensor, "b d"]) -> Float[Tensor, "b {n}"]:
            return x

        def main():
            f(4, torch.zeros(2, 3))
        """.replace("return x", "return x.new_zeros(x.shape[0], 2 * n)  # HERE"),
        'expected dimension 1 ("{n}") to be n, got 2*n',
    ),
    "a variadic name": (
        """
        def f(x: Float[Tensor, "*batch d"], y: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch d"]:
            return x * y[..., None]

        def main():
            f(torch.zeros(2, 5, 3), torch.zeros(2, 4))  # HERE
        """,
        'expected "*batch" to be (2, 5), got (2, 4)',
    ),
    "an annotation in a string": (
        """
        def f(x: "Float[Tensor, 'b d']") -> "Float[Tensor, 'd b']":
            return x  # HERE

        def main():
            f(torch.zeros(2, 3))
        """,
        'expected dimension 0 ("d") to be d, got b',
    ),
    "a static method": (
        """
        class Tools:
            @staticmethod
            def norm(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
                return x.norm(dim=0)  # HERE

            @classmethod
            def twice(cls, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
                return 2 * x

        def main():
            Tools.norm(Tools.twice(torch.zeros(2, 3)))
        """,
        'expected dimension 0 ("n") to be n, got d',
    ),
    "a property": (
        """
        class Net(nn.Module):
            def __init__(self, a: int = 3, b: int = 5):
                super().__init__()
                self.table = nn.Parameter(torch.zeros(a, b))

            @property
            def bias(self) -> Float[Tensor, "n"]:
                return self.table  # HERE

        def main():
            Net().bias
        """,
        "expected 1 dimension (",
    ),
    "a function in a function": (
        """
        def outer(x: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
            def inner(y: Float[Tensor, "n m"]) -> Float[Tensor, "n"]:
                return y.sum(0)  # HERE

            return inner(x[:, :]) if x.requires_grad else x.sum(1)

        def main():
            outer(torch.zeros(2, 3, requires_grad=True))
        """,
        'expected dimension 0 ("n") to be b, got d',
    ),
    "any number of arguments": (
        """
        def total(*xs: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
            return sum(xs)

        def main():
            total(torch.zeros(2, 3), torch.zeros(2))  # HERE
        """,
        "expected 2 dimensions",
    ),
    "a size that is written where another is computed": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 16, 3)

            def forward(self, x: Float[Tensor, "b 3 h w"]) -> Float[Tensor, "b 16 h w"]:
                return self.conv(x)  # HERE

        def main():
            Net()(torch.zeros(2, 3, 8, 8))
        """,
        'expected dimension 2 ("h") to be h, got h-2: ',
    ),
    "two names that have learnt different sizes": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.left, self.right = nn.GroupNorm(8, 64), nn.GroupNorm(8, 32)

            def forward(self, q: Float[Tensor, "b d_q"], k: Float[Tensor, "b d_k"]) -> Float[Tensor, "b d_k"]:
                return self.left(q) + self.right(k)  # HERE

        def main():
            Net()(torch.zeros(2, 64), torch.zeros(2, 32))
        """,
        "",
    ),
    "a broadcastable axis": (
        """
        def f(x: Float[Tensor, "b d"], y: Float[Tensor, "#b d"]) -> Float[Tensor, "b d"]:
            return x + y

        def main():
            f(torch.zeros(4, 3), torch.zeros(2, 3))  # HERE
        """,
        'expected dimension 0 ("#b") to be 4, got 2',
    ),
}

DTYPES = {
    "an argument": """
        def f(x: Int[Tensor, "b"]) -> Int[Tensor, "b"]:
            return x

        def main():
            f(torch.zeros(2))  # HERE
        """,
    "a result": """
        def f(x: Float[Tensor, "b"]) -> Float[Tensor, "b"]:
            return x > 0  # HERE

        def main():
            f(torch.zeros(2))
        """,
    "a union": """
        def f(x: Int[Tensor, "b"] | Bool[Tensor, "b"]) -> Float[Tensor, "b"]:
            return x.float()

        def main():
            f(torch.zeros(2))  # HERE
        """,
}

QUIET = {
    "a tensor is an iterable": """
        def f(x: Union[Iterable[object], Float[Tensor, "3"], Float[Tensor, "b 3"]]):
            x = torch.as_tensor(x)
            assert x.shape[-1] == 2

        def g(x: Union[float, Iterable[object], Float[Tensor, "3"]]):
            f(x)

        def main():
            g(torch.zeros(4, 2))
            f(torch.zeros(4, 5)[:, :2])
        """,
    "a name that a layer's width gives": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 1)

            def forward(self, x: Float[Tensor, "n features"]) -> Float[Tensor, "n 1"]:
                return self.fc(x)

        def main():
            Net()(torch.zeros(5, 3))
        """,
    "a name that an attribute's size gives": """
        class Net(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.fc = nn.Linear(width, width)

            def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
                return self.fc(x)

        def main():
            Net(3)(torch.zeros(5, 3))
        """,
    "a parameter that is bound again": """
        def f(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b"]:
            x = x.flatten(1)
            x = x.mean(1)
            return x

        def main():
            f(torch.zeros(2, 3, 4, 5))
        """,
    "sizes that happen to be equal": """
        def f(x: Float[Tensor, "b c"], y: Float[Tensor, "t c"]) -> Float[Tensor, "b t"]:
            return x @ y.T

        def main():
            f(torch.zeros(4, 3), torch.zeros(4, 3))
        """,
    "reshaping with what the shape says": """
        def heads(x: Float[Tensor, "b t c"], n: int) -> Float[Tensor, "b {n} t c//{n}"]:
            b, t, c = x.shape
            return x.view(b, t, n, c // n).transpose(1, 2)

        def main():
            heads(torch.zeros(2, 5, 8), 4)
        """,
    "a broadcastable axis of 1": """
        def f(x: Float[Tensor, "b d"], y: Float[Tensor, "#b d"]) -> Float[Tensor, "b d"]:
            return x + y

        def main():
            f(torch.zeros(4, 3), torch.zeros(1, 3))
        """,
    "arrays of numpy's": """
        import numpy as np

        def f(x: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
            return np.concatenate([x[:1], x[1:]])

        def main():
            f(np.zeros(3))
        """,
    "a name that is not jaxtyping's": """
        class Real:
            def __class_getitem__(cls, key):
                return Tensor

        def f(x: Real[Tensor, "b d"]) -> Real[Tensor, "d"]:
            return x

        def main():
            f(torch.zeros(3))
        """,
    "two names that have learnt the same size": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.GroupNorm(8, 64)

            def add(self, q: Float[Tensor, "b d"], k: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                return q + k

            def forward(self, q: Float[Tensor, "b d_q"], k: Float[Tensor, "b d_k"]) -> Float[Tensor, "b d_k"]:
                q, k = self.norm(q), self.norm(k)
                return self.add(q, q + k)

        def main():
            Net()(torch.zeros(2, 64), torch.zeros(2, 64))
        """,
    "two names that two layers make the same": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.left = nn.LayerNorm(64)
                self.right = nn.LayerNorm(64)

            def forward(self, q: Float[Tensor, "b d_q"], k: Float[Tensor, "b d_k"]) -> Float[Tensor, "b d_q"]:
                return self.left(q) + self.right(k)

        def main():
            Net()(torch.zeros(2, 64), torch.zeros(2, 64))
        """,
    "a running state that another method makes": """
        class Meter:
            def __init__(self):
                self.total = torch.zeros(0)
                self.count = 0

            def add(self, x: Float[Tensor, "b d"]) -> None:
                self.total = x.sum(0) if self.count == 0 else self.total + x.sum(0)
                self.count += x.shape[0]

            def centred(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                return x - self.total / self.count

        def main():
            meter = Meter()
            meter.add(torch.ones(4, 3))
            meter.centred(torch.ones(2, 3))
        """,
    "a decorator that adds an axis": """
        def f(x: Float[Tensor, "d"], w: Float[Tensor, "d"]) -> Float[Tensor, ""]:
            return x @ w

        def main():
            torch.vmap(f, in_dims=(0, None))(torch.zeros(5, 3), torch.zeros(3)).sum(0)
        """,
    "a result that only its annotation tells": """
        from abc import abstractmethod

        class Encoder(nn.Module):
            @abstractmethod
            def encode(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b d"]: ...

            def forward(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b"]:
                return self.encode(x).mean(-1)

        class Mean(Encoder):
            def encode(self, x: Float[Tensor, "b t"]) -> Float[Tensor, "b d"]:
                return x[:, :2]

        def main():
            Mean()(torch.zeros(3, 4))
        """,
}


NEEDS_JAX = {
    "a tree of tensors": """
        from jaxtyping import PyTree

        def f(x: PyTree[Float[Tensor, "b"]]) -> Float[Tensor, "b"]:
            return x["a"]

        def main():
            f({"a": torch.zeros(3)})
        """,
}
IN_BODIES = [name for name, (program, _) in FOUND.items() if program.index("# HERE") < program.index("def main")]


@pytest.mark.parametrize("name", FOUND)
def test_what_breaks_a_signature_is_found(name: str, tmp_path: Path) -> None:
    program, message = FOUND[name]
    assert_found(tmp_path, program, "shape-mismatch", message)


@pytest.mark.parametrize("name", DTYPES)
def test_a_dtype_that_breaks_a_signature_is_found(name: str, tmp_path: Path) -> None:
    assert_found(tmp_path, DTYPES[name], "dtype-mismatch", "got dtype")


@pytest.mark.parametrize("name", IN_BODIES)
def test_a_body_is_checked_though_nobody_calls_it(name: str, tmp_path: Path) -> None:
    uncalled = FOUND[name][0].partition("def main")[0].rstrip() + "\n"
    assert_found(tmp_path, uncalled, "shape-mismatch", "")


@pytest.mark.parametrize("program", [*QUIET.values(), *NEEDS_JAX.values()], ids=[*QUIET, *NEEDS_JAX])
def test_what_keeps_its_signature_is_quiet(program: str, tmp_path: Path) -> None:
    assert_quiet(tmp_path, program)


@pytest.mark.parametrize("program", [*(one for one, _ in FOUND.values()), *DTYPES.values()], ids=[*FOUND, *DTYPES])
def test_jaxtyping_refuses_what_is_found(program: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"(?s)Type-check|violates|must match|expected"):
        run_typechecked(tmp_path, program)


@pytest.mark.parametrize("name", QUIET)
def test_jaxtyping_takes_what_is_quiet(name: str, tmp_path: Path) -> None:
    run_typechecked(tmp_path, QUIET[name])
