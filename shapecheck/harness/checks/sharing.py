"""Items of a list of layers are separate modules: one module used several times in a row shares its weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import check
from shapecheck.harness.layer_definition import find_definition

_INTENTIONALLY_SHARED = re.compile("shared|sharing|tied|common", re.IGNORECASE)


@check(4)
def sharing(context: CheckContext) -> Iterator[Diagnostic]:
    """Each nn.ModuleList and nn.Sequential; a layer that also has a name of its own is shared on purpose."""
    named = {
        id(one) for path, one in context.model.named_modules(remove_duplicate=False) if not _is_item(context, path)
    }
    for path, held in context.model.named_modules():
        if not isinstance(held, (nn.ModuleList, nn.Sequential)) or _INTENTIONALLY_SHARED.search(path):
            continue
        items = list(held)
        for one, following in pairwise(items):
            if one is following and id(one) not in named and next(one.parameters(), None) is not None:
                yield _diagnostic(context, path, type(one).__name__, sum(other is one for other in items))
                break


def _is_item(context: CheckContext, path: str) -> bool:
    """Whether the path leads into a list of layers."""
    holder = context.model.get_submodule(path.rpartition(".")[0])
    return bool(path) and isinstance(holder, (nn.ModuleList, nn.Sequential))


def _diagnostic(context: CheckContext, path: str, kind: str, times: int) -> Diagnostic:
    place, owner = find_definition(context.model, path) or (None, "")
    repeated = f"list contains the same {kind} {times} times, so its weights are shared"
    message = f"{repeated}; create or deepcopy one per position"
    return context.finding("shared-module", message, place, module=owner)
