"""Named tuples of results, as torch returns them."""

from __future__ import annotations

from typing import Any, NamedTuple

from shapecheck.spec import TensorSpec


class ValuesIndices(NamedTuple):
    """What `torch.max(x, dim)`, `sort`, `topk` and similar operators return."""

    values: TensorSpec
    indices: TensorSpec


class NamedResult(tuple[Any, ...]):
    """A tuple whose items are attributes too: `Named(Q=q, R=r)` is `(q, r)` with `.Q` and `.R`."""

    _fields: tuple[str, ...] = ()

    def __new__(cls, **results: Any) -> NamedResult:
        """The results by name, in their order."""
        made = super().__new__(cls, results.values())
        made._fields = tuple(results)
        vars(made).update(results)
        return made

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no result {name!r}; the results are {', '.join(self._fields)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._fields, tuple(self))

    def __repr__(self) -> str:
        return f"({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"


def _named(fields: tuple[str, ...], results: tuple[Any, ...]) -> NamedResult:
    return NamedResult(**dict(zip(fields, results, strict=True)))
