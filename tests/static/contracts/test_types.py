"""Aliases, unions, tuples, lists, dicts, classes and overloads in annotations."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.static.contracts.programs import assert_found, assert_quiet, run_typechecked

SHAPES = {
    "shapes.py": """
        import jaxtyping as jt
        from jaxtyping import Float as F32
        from torch import Tensor

        Image = F32[Tensor, "c h w"]
        Images = jt.Float[Image, "b"]
        Label = jt.Int[Tensor, ""]
        MaybeImage = Image | None
    """
}

FOUND = {
    "an alias": (
        """
        Image = Float[Tensor, "c h w"]

        def grey(x: Image) -> Float[Tensor, "h w"]:
            return x.mean(0)

        def main():
            grey(torch.zeros(2, 3, 4, 5))  # HERE
        """,
        "expected 3 dimensions (",
    ),
    "an alias of another file": (
        """
        from shapes import Image

        def grey(x: Image) -> Float[Tensor, "h w"]:
            return x.mean(1)  # HERE

        def main():
            grey(torch.zeros(3, 4, 5))
        """,
        'expected dimension 0 ("h") to be h, got c',
    ),
    "an alias by its module": (
        """
        import shapes

        def grey(x: shapes.Images) -> Float[Tensor, "b h w"]:
            return x.mean(0)  # HERE

        def main():
            grey(torch.zeros(2, 3, 4, 5))
        """,
        'expected dimension 0 ("b") to be b, got c',
    ),
    "axes before those of an alias": (
        """
        Image = Float[Tensor, "c h w"]

        def grey(x: Float[Image, "b"]) -> Float[Tensor, "b h w"]:
            return x.mean(1)

        def main():
            grey(torch.zeros(3, 4, 5))  # HERE
        """,
        "expected 4 dimensions (",
    ),
    "an alias in a union": (
        """
        from shapes import MaybeImage

        def grey(x: MaybeImage) -> Float[Tensor, "h w"]:
            return torch.zeros(3, 4) if x is None else x.mean(0)

        def main():
            grey(torch.zeros(2, 3, 4, 5))  # HERE
        """,
        "expected 3 dimensions (",
    ),
    "an alias in a class": (
        """
        class Net(nn.Module):
            Tokens = Int[Tensor, "b t"]

            def forward(self, x: Tokens) -> Float[Tensor, "b"]:
                return x.float().mean(0)  # HERE

        def main():
            Net()(torch.zeros(2, 3, dtype=torch.int64))
        """,
        'expected dimension 0 ("b") to be b, got t',
    ),
    "an alias with a type of its own": (
        """
        from typing import TypeAlias

        Rows: TypeAlias = Float[Tensor, "n d"]
        Same = Rows

        def f(x: Same) -> Same:
            return x.T  # HERE

        def main():
            f(torch.zeros(2, 3))
        """,
        'expected dimension 0 ("n") to be n, got d',
    ),
    "an alias in a function": (
        """
        def make():
            Row = Float[Tensor, "n d"]

            def f(x: Row) -> Row:
                return x.T  # HERE

            return f

        def main():
            make()(torch.zeros(2, 3))
        """,
        'expected dimension 0 ("n") to be n, got d',
    ),
    "every member of a union": (
        """
        def f(x: Float[Tensor, "b d"] | Float[Tensor, "b t d"]) -> Float[Tensor, "b"]:
            return x.flatten(1).sum(1)

        def main():
            f(torch.zeros(2))  # HERE
        """,
        "expected 2 dimensions (",
    ),
    "an argument that may be None": (
        """
        def f(x: Float[Tensor, "b d"], mask: Optional[Float[Tensor, "b d"]] = None) -> Float[Tensor, "b d"]:
            return x if mask is None else x * mask

        def main():
            f(torch.zeros(2, 3))
            f(torch.zeros(2, 3), torch.zeros(2, 4))  # HERE
        """,
        'expected dimension 1 ("d") to be 3, got 4',
    ),
    "an item of a returned tuple": (
        """
        def split(x: Float[Tensor, "b d"]) -> tuple[Float[Tensor, "b"], Float[Tensor, "d"]]:
            return x.sum(1), x.sum(1)  # HERE

        def main():
            split(torch.zeros(2, 3))
        """,
        'expected dimension 0 ("d") to be d, got b',
    ),
    "an item of a given tuple": (
        """
        def add(pair: tuple[Float[Tensor, "b d"], Float[Tensor, "b d"]]) -> Float[Tensor, "b d"]:
            return pair[0] + pair[1]

        def main():
            add((torch.zeros(2, 3), torch.zeros(2, 4)))  # HERE
        """,
        'expected dimension 1 ("d") to be 3, got 4',
    ),
    "an item of a list": (
        """
        def add(first: Float[Tensor, "b d"], xs: list[Float[Tensor, "b d"]]) -> Float[Tensor, "b d"]:
            for x in xs:
                first = first + x
            return first

        def main():
            add(torch.zeros(2, 3), [torch.zeros(2, 4)])  # HERE
        """,
        'expected dimension 1 ("d") to be 3, got 4',
    ),
    "items of a list in the body": (
        """
        def add(w: Float[Tensor, "d e"], xs: Sequence[Float[Tensor, "b d"]]) -> list[Float[Tensor, "b e"]]:
            return [x @ w.T for x in xs]  # HERE

        def main():
            add(torch.zeros(3, 5), [torch.zeros(2, 3)])
        """,
        "",
    ),
    "a loop over a list": (
        """
        def f(y: Float[Tensor, "n k"], xs: list[Float[Tensor, "n d"]]) -> Float[Tensor, "n k"]:
            for x in xs:
                y = y + x  # HERE
            return y

        def main():
            f(torch.zeros(2, 3), [torch.zeros(2, 4)])
        """,
        "",
    ),
    "values of a dict": (
        """
        def f(batch: dict[str, Float[Tensor, "b d"]]) -> Float[Tensor, "b"]:
            return batch["image"].sum(0)  # HERE

        def main():
            f({"image": torch.zeros(2, 3)})
        """,
        'expected dimension 0 ("b") to be b, got d',
    ),
    "a field of a dataclass in a parameter": (
        """
        @dataclass
        class Batch:
            image: Float[Tensor, "b c h w"]
            label: Int[Tensor, "b"]

        def f(batch: Batch) -> Float[Tensor, "b"]:
            return batch.image.flatten(1).mean(0) + batch.label  # HERE

        def main():
            f(Batch(torch.zeros(2, 3, 4, 5), torch.zeros(2, dtype=torch.int64)))
        """,
        "",
    ),
    "a NamedTuple that is unpacked": (
        """
        class Step(NamedTuple):
            obs: Float[Tensor, "n d"]
            reward: Float[Tensor, "n"]

        def f(step: Step) -> Float[Tensor, "n d"]:
            obs, reward = step
            return obs * reward  # HERE

        def main():
            f(Step(torch.zeros(4, 3), torch.zeros(4)))
        """,
        "",
    ),
    "a method that an annotation promises": (
        """
        class Encoder(nn.Module):
            def __init__(self, dim: int):
                super().__init__()
                self.fc = nn.Linear(dim, 16)

            def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b 16"]:
                return self.fc(x)

        class Net(nn.Module):
            def __init__(self, encoder: Encoder):
                super().__init__()
                self.encoder = encoder
                self.head = nn.Linear(32, 10)

            def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b 10"]:
                return self.head(self.encoder(x))  # HERE

        def main():
            Net(Encoder(4))(torch.zeros(2, 4))
        """,
        "expected the last dimension of the input to be 32, got 16",
    ),
    "the result of a stub": (
        """
        from typing import Protocol

        class Policy(Protocol):
            def __call__(self, obs: Float[Tensor, "b obs"]) -> Float[Tensor, "b 4"]: ...

        def act(policy: Policy, obs: Float[Tensor, "b obs"]) -> Float[Tensor, "b"]:
            return policy(obs).sum(0)  # HERE

        def main():
            act(lambda obs: torch.zeros(len(obs), 4), torch.zeros(2, 3))
        """,
        'expected dimension 0 ("b") to be 2, got 4',
    ),
}

CLAIMS = {
    "an annotated assignment": (
        """
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
            y: Float[Tensor, "d b"] = x * 2  # HERE
            return x.sum(1)
        """,
        'y: expected dimension 0 ("d") to be d, got b',
    ),
    "an annotated assignment outside of functions": (
        """
        y: Float[Tensor, "n n"] = torch.zeros(3, 4)  # HERE
        """,
        'y: expected dimension 1 ("n") to be 3, got 4',
    ),
    "an annotated attribute": (
        """
        class Net(nn.Module):
            def __init__(self, a: int = 3):
                super().__init__()
                self.w: Float[Tensor, "a a"] = nn.Parameter(torch.zeros(a, 2 * a))  # HERE

        Net()
        """,
        'self.w: expected dimension 1 ("a") to be 3, got 6',
    ),
    "what an unknown function gives, as it is annotated": (
        """
        from somewhere import load

        x: Float[Tensor, "n 16"] = load()
        nn.Linear(32, 4)(x)  # HERE
        """,
        "expected the last dimension of the input to be 32, got 16",
    ),
    "a field of a dataclass": (
        """
        @dataclass
        class Batch:
            image: Float[Tensor, "b c h w"]
            label: Int[Tensor, "b"]

        Batch(torch.zeros(2, 3, 4, 5), torch.zeros(3, dtype=torch.int64))  # HERE
        """,
        'field "label" of Batch: expected dimension 0 ("b") to be 2, got 3',
    ),
    "a field of a NamedTuple": (
        """
        class Step(NamedTuple):
            obs: Float[Tensor, "n d"]
            reward: Float[Tensor, "n"]

        Step(torch.zeros(4, 3), reward=torch.zeros(4, 1))  # HERE
        """,
        'field "reward" of Step: ',
    ),
    "no overload matches": (
        """
        from typing import overload

        @overload
        def f(x: Float[Tensor, "b 3"]) -> Float[Tensor, "b"]: ...
        @overload
        def f(x: Float[Tensor, "b 4"]) -> Float[Tensor, "b"]: ...
        def f(x):
            return x.sum(-1)

        f(torch.zeros(2, 5))  # HERE
        """,
        "no overload of f matches: ",
    ),
    "the result of the matching overload": (
        """
        from typing import overload
        from somewhere import magic

        @overload
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b 8"]: ...
        @overload
        def f(x: int) -> int: ...
        def f(x):
            return magic(x)

        nn.Linear(9, 2)(f(torch.zeros(2, 5)))  # HERE
        """,
        "expected the last dimension of the input to be 9, got 8",
    ),
    "the result of a function with a library's decorator": (
        """
        from somewhere import traced

        @traced
        def f(x: Float[Tensor, "b d"]) -> Float[Tensor, "b 8"]:
            return x @ torch.zeros(x.shape[1], 8)

        nn.Linear(9, 2)(f(torch.zeros(2, 5)))  # HERE
        """,
        "expected the last dimension of the input to be 9, got 8",
    ),
    "the type of an attribute that nobody knows": (
        """
        from somewhere import load

        class Net(nn.Module):
            weight: Float[Tensor, "64 16"]

            def __init__(self):
                super().__init__()
                self.weight = load()

            def forward(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 16"]:
                return F.linear(x, self.weight)  # HERE
        """,
        "",
    ),
    "imports for type checkers alone": (
        """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from shapes import Image as Picture

        def f(x: "Picture") -> "Picture":
            return x[0]  # HERE
        """,
        "expected 3 dimensions (",
    ),
}

QUIET = {
    "either member of a union": """
        def f(x: Float[Tensor, "b d"] | Float[Tensor, "b t d"]) -> Float[Tensor, "b"]:
            return x.flatten(1).sum(1)

        def main():
            f(torch.zeros(2, 3))
            f(torch.zeros(2, 3, 4))
        """,
    "an argument that is None": """
        def f(x: Float[Tensor, "b d"], mask: Optional[Float[Tensor, "b d"]] = None) -> Float[Tensor, "b d"]:
            return x if mask is None else x * mask

        def main():
            f(torch.zeros(2, 3))
            f(torch.zeros(2, 3), mask=torch.zeros(2, 3))
        """,
    "aliases of another file": """
        from shapes import Image, Images, Label

        def pick(x: Images, label: Label) -> Image:
            return x[label]

        def main():
            pick(torch.zeros(2, 3, 4, 5), torch.tensor(1))
        """,
    "a tuple of any length": """
        def f(xs: tuple[Float[Tensor, "b _"], ...]) -> Float[Tensor, "b d"]:
            return torch.cat(xs, dim=1)

        def main():
            f((torch.zeros(2, 3), torch.zeros(2, 4)))
        """,
    "a dict of tensors": """
        def f(batch: dict[str, Float[Tensor, "b d"]]) -> Float[Tensor, "b"]:
            total = sum(value.sum(1) for value in batch.values())
            return total + batch["image"].sum(1)

        def main():
            f({"image": torch.zeros(2, 3), "depth": torch.zeros(2, 3)})
        """,
    "a dataclass whose names are the function's own too": """
        @dataclass
        class Batch:
            image: Float[Tensor, "b c h w"]
            label: Int[Tensor, "b"]

            def half(self) -> "Batch":
                n = len(self.label) // 2
                return Batch(self.image[:n], self.label[:n])

        def f(batch: Batch, weight: Float[Tensor, "c"]) -> Float[Tensor, "b"]:
            return (batch.image * weight[:, None, None]).flatten(1).sum(1)

        def main():
            f(Batch(torch.zeros(2, 3, 4, 5), torch.zeros(2, dtype=torch.int64)).half(), torch.zeros(3))
        """,
    "a NamedTuple that is unpacked": """
        class Step(NamedTuple):
            obs: Float[Tensor, "n d"]
            reward: Float[Tensor, "n"]

        def f(step: Step) -> Float[Tensor, "n"]:
            obs, reward = step
            return obs.sum(1) + reward + step[1]

        def main():
            f(Step(torch.zeros(4, 3), torch.zeros(4)))
        """,
    "a config that is a dataclass": """
        @dataclass
        class Config:
            dim: int = 8
            heads: int = 2
            dropout: float = 0.0

        class Block(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.config = config
                self.qkv = nn.Linear(config.dim, 3 * config.dim)

            def forward(self, x: Float[Tensor, "b t {self.config.dim}"]) -> Float[Tensor, "b t {self.config.dim}"]:
                q, k, v = self.qkv(x).chunk(3, dim=-1)
                return F.softmax(q @ k.transpose(1, 2), dim=-1) @ v

        def main():
            Block(Config(dim=16))(torch.zeros(2, 3, 16))
        """,
    "an overloaded function": """
        from typing import overload

        @overload
        def norm(x: Float[Tensor, "b d"], each: bool = ...) -> Float[Tensor, "b d"]: ...
        @overload
        def norm(x: None, each: bool = ...) -> None: ...
        def norm(x, each=True):
            return None if x is None else x / x.norm(dim=-1, keepdim=each)

        def main():
            norm(torch.ones(2, 3))
            norm(None)
        """,
    "annotated assignments": """
        def f(x: Float[Tensor, "b t d"]) -> Float[Tensor, "b d"]:
            y: Float[Tensor, "b d t"] = x.transpose(1, 2)
            for step in range(3):
                z: Float[Tensor, "b d k"] = y[:, :, :step]
            w: Optional[Tensor] = None
            return y.mean(-1)

        def main():
            f(torch.zeros(2, 3, 4))
        """,
    "a subclass with other sizes": """
        class Base(nn.Module):
            width: int = 4

            def forward(self, x: Float[Tensor, "b {self.width}"]) -> Float[Tensor, "b {self.width}"]:
                return self.body(x)

            def body(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                raise NotImplementedError

        class Twice(Base):
            width = 8

            def body(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
                return 2 * x

        def main():
            Twice()(torch.zeros(2, 8))
        """,
}


NOT_RUN = {
    "tuples in collections that have more items than their annotation says": """
        def best(times: dict[tuple[int], tuple[float]], pairs: list[tuple[int]]) -> None:
            for _, (alpha, beta) in times.items():
                print(alpha, beta)
            for first, second in pairs:
                print(first, second)
        """,
    "lists that are deeper than their annotation says": """
        def masks(boxes: list[list[int]], points: Tensor) -> list[Tensor]:
            found = []
            for crop in boxes:
                for box in crop:
                    box = torch.as_tensor(box)
                    found.append(torch.isclose(points, box[None, :]))
            return found
        """,
    # beartype looks at one item, chosen at random
    "items of different lengths in a list": """
        def longest(xs: list[Float[Tensor, "length d"]]) -> int:
            return max(x.shape[0] for x in xs)

        def main():
            longest([torch.zeros(2, 3), torch.zeros(5, 3)])
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_breaks_a_type_is_found(name: str, tmp_path: Path) -> None:
    program, message = FOUND[name]
    assert_found(tmp_path, program, "shape-mismatch", message, SHAPES)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_violation_that_jaxtyping_does_not_check_is_found(name: str, tmp_path: Path) -> None:
    program, message = CLAIMS[name]
    assert_found(tmp_path, program, "shape-mismatch", message, SHAPES)


@pytest.mark.parametrize("program", [*QUIET.values(), *NOT_RUN.values()], ids=[*QUIET, *NOT_RUN])
def test_what_keeps_its_type_is_quiet(program: str, tmp_path: Path) -> None:
    assert_quiet(tmp_path, program, SHAPES)


@pytest.mark.parametrize("name", FOUND)
def test_jaxtyping_or_torch_refuses_what_is_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"(?s)Type-check|violates|must match|expected|multiplied|spatial"):
        run_typechecked(tmp_path, FOUND[name][0], SHAPES)


@pytest.mark.parametrize("name", QUIET)
def test_jaxtyping_takes_what_is_quiet(name: str, tmp_path: Path) -> None:
    run_typechecked(tmp_path, QUIET[name], SHAPES)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement is new in Python 3.12")
def test_a_type_statement_makes_an_alias(tmp_path: Path) -> None:
    program = """
        type Rows = Float[Tensor, "n d"]

        def f(x: Rows) -> Rows:
            return x.T  # HERE
        """
    assert_found(tmp_path, program, "shape-mismatch", 'expected dimension 0 ("n") to be n, got d')
