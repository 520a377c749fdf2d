"""Numbers for the names of parameters and attributes: heads, layers, lengths, probabilities; sizes otherwise."""

from __future__ import annotations

import re

PROBABILITY = 0.1
_LENGTH = 64
_FLAG = re.compile(r"(use|is|has|with|tie|add|share|return|train)_\w+|\w*bias|causal|learned")
_RATE = re.compile(r"\w*(drop|prob|eps|std|momentum|decay)\w*|(\w+_)?rate")
_MODULE = re.compile(r"(?!n_|num_)\w+_(layer|head|block|patch)")
_RULES: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\w*heads?"), 2),
    (re.compile(r"(\w+_)?n?_?(layers?|depths?|blocks|stages)|num_\w*layers"), 2),
    (re.compile(r"\w*(block_size|vocab(_size)?|context|positions|(seq|max)_?len(gth)?)|(\w+_)?ctx|max_\w+"), _LENGTH),
    (re.compile(r"(\w+_)?patch(_?size)?"), 4),
    (re.compile(r"(\w+_)?kernel(_?size)?"), 3),
    (re.compile(r"(\w+_)?(stride|padding|dilation|groups|reduction)"), 1),
    (re.compile(r"\w*(ratio|expansion|factor|mult)|(up|down)\w*_rate"), 2),
)


def names_number(name: str) -> bool:
    """Whether it is certainly the name of a number: `num_heads`, not `encoder` or `encoder_layer`."""
    return _MODULE.fullmatch(name) is None and any(
        rule.fullmatch(name) for rule in (_FLAG, _RATE, *(rule for rule, _ in _RULES))
    )


def number(name: str, width: int) -> int | float:
    """A number for a name that has no annotation."""
    if _FLAG.fullmatch(name):
        return True
    whole = integer(name, width)
    return PROBABILITY if whole == width and _RATE.fullmatch(name) else whole


def integer(name: str, width: int) -> int:
    """An integer for a name."""
    return next((value for rule, value in _RULES if rule.fullmatch(name)), width)
