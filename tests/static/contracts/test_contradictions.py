"""Annotations that the code itself contradicts: one finding where they are, none at correct calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.contracts.programs import shown, written

PROGRAMS = {
    "a parameter that the body requires to be larger": (
        """
        def transform(m: Float[Tensor, "d d"], points: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
            d = points.shape[-1]
            assert m.shape == (d + 1, d + 1)  # HERE
            ones = torch.ones((*points.shape[:-1], 1))
            return torch.einsum("ij,...j->...i", m, torch.cat((points, ones), dim=-1))[..., :-1]

        transform(torch.eye(4), torch.zeros(5, 3)) + torch.zeros(5, 3)
        """
    ),
    "a function that passes its parameters on to such a function": (
        """
        def extended(m: Float[Tensor, "d d"]) -> Float[Tensor, "d d"]:
            return torch.cat((m, m[:1]), dim=0)  # HERE

        def both(m: Float[Tensor, "d d"], x: Float[Tensor, "d d"]) -> Float[Tensor, "d d"]:
            return extended(m) @ x.T

        both(torch.zeros(3, 3), torch.zeros(2, 3)).view(4, 2)
        """
    ),
    "a method": (
        """
        class Loss:
            def flat(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "n"]:
                return x.sum()  # HERE

            def __call__(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, ""]:
                return self.flat(x)

        Loss()(torch.zeros(2, 3, 4)) + torch.zeros(())
        """
    ),
    "the result of a call that violates an annotation": (
        """
        def pixels(x: Float[Tensor, "n h w"]) -> Float[Tensor, "n h w"]:
            return x * x.shape[1]

        def keep(x: Float[Tensor, "b n h w"]) -> Float[Tensor, "b n h w"]:
            return x

        def loss(x: Float[Tensor, "b n h w"]):
            return keep(pixels(x))  # HERE
        """
    ),
}

SILENT = {
    "an assert that states the shapes of both parameters": """
        def create(values: Float[Tensor, "... d"], domain: Float[Tensor, "... d"], index: Int[Tensor, "n"]):
            assert values.shape[1:] == domain.shape[1:]
            return values[index]

        create(torch.zeros(12), torch.zeros(3), torch.arange(12))
        """,
    "fields of one alias": """
        Values = Float[Tensor, "... d"]

        @dataclass
        class Sampled:
            values: Values
            domain: Values

            def masked(self, mask):
                return type(self)(self.values[mask], self.domain)

        Sampled(torch.zeros(12), torch.zeros(3)).values + torch.zeros(12)
        masked = Sampled(torch.zeros(3), torch.zeros(3)).masked(torch.tensor([True, False, True]))
        assert masked.values.shape == (2,)
        """,
    "a dtype that only the annotation states": """
        def normals(x: Float[Tensor, "b d"]) -> Bool[Tensor, "b d"]:
            return torch.nn.functional.normalize(x)

        def flipped(x: Float[Tensor, "b d"]):
            return -normals(x)
        """,
}

REPORTED = {
    "fields of one alias in a class that a decorator checks": """
        Values = Float[Tensor, "... d"]

        @jaxtyped(typechecker=None)
        @dataclass
        class Sampled:
            values: Values
            domain: Values

        Sampled(torch.zeros(12), torch.zeros(3))  # HERE
        """,
    "a field whose alias has a number": """
        Points = Float[Tensor, "n 3"]

        @dataclass
        class Cloud:
            points: Points
            normals: Points

        Cloud(torch.zeros(5, 3), torch.zeros(6, 2))  # HERE
        """,
    "an argument of a function without contradictions": """
        def scaled(x: Float[Tensor, "b d"], weight: Float[Tensor, "d"]) -> Float[Tensor, "b d"]:
            assert x.ndim == 2
            return x * weight

        scaled(torch.zeros(2, 3), torch.zeros(1))  # HERE
        """,
}


@pytest.mark.parametrize("name", [*PROGRAMS, *REPORTED])
def test_one_finding(name: str, tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAMS.get(name) or REPORTED[name])
    lines = [number for number, line in enumerate(program.read_text().splitlines(), 1) if "# HERE" in line]
    found = check([program])
    assert [one.line for one in found] == lines, shown(found)


@pytest.mark.parametrize("name", SILENT)
def test_no_finding(name: str, tmp_path: Path) -> None:
    found = check([written(tmp_path, SILENT[name])])
    assert not found, shown(found)
