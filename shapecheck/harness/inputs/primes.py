"""Sizes that identify axes: distinct primes that the model does not use itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator


def primes(without: Collection[int] = (), first: int = 3) -> Iterator[int]:
    """Primes from `first` on, in order."""
    number = first
    while True:
        if number not in without and all(number % divisor for divisor in range(2, int(number**0.5) + 1)):
            yield number
        number += 1
