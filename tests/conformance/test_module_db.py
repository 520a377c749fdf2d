"""module_db against real CPU torch: every layer, training and not."""

from __future__ import annotations

import pytest
from torch.testing._internal.common_modules import ModuleInfo, module_db

from tests.conformance.module_samples import judged_module, refused_modules


@pytest.mark.parametrize("layer", module_db, ids=lambda info: info.name)
def test_a_layer_says_what_torch_does(layer: ModuleInfo) -> None:
    assert [one for one in judged_module(layer) if one.verdict.kind != "exact" or one.verdict.layout] == []


def test_most_of_what_torch_refuses_is_refused() -> None:
    outcomes = [one for one in refused_modules() if one[1] != "invisible"]
    assert sum(outcome == "refused" for _, outcome, _, _ in outcomes) >= 0.8 * len(outcomes), outcomes
