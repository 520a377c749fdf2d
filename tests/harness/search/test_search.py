"""Which sizes are found for a model, and what is said to have been learnt of them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int, Shaped
from torch import Tensor, nn

from shapecheck.harness.search.search import search
from shapecheck.harness.search.size_constraints import SizeConstraints
from tests.harness.inputs.making import subject


def linear(self: Any, x: Float[Tensor, "b d"]) -> Float[Tensor, "b k"]:
    return self.fc(x)


def joined(self: Any, x: Float[Tensor, "b c"], y: Float[Tensor, "b 3"]) -> Float[Tensor, "b k"]:
    return self.fc(torch.cat([x, y], -1))


def heads(self: Any, x: Float[Tensor, "b d"]) -> Float[Tensor, "b 4 d//4"]:
    return x.view(x.shape[0], 4, -1)


def skips(self: Any, x: Float[Tensor, "b 1 h w"]) -> Float[Tensor, "b 2 h w"]:
    return torch.cat([x, F.interpolate(F.avg_pool2d(x, 4), scale_factor=4)], 1)


def padded(self: Any, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t+60"]:
    return F.pad(x[:, None], (30, 30), mode="reflect")[:, 0]


def positions(self: Any, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
    return x + self.table


def asserted(self: Any, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
    assert x.shape[1] == 24
    return x


def strided(self: Any, x: Float[Tensor, "b c t"]) -> Float[Tensor, "b d s"]:
    x = self.conv(x)
    assert x.shape[1:] == self.positions.shape
    return x + self.positions


def by_name(self: Any, x: Float[Tensor, "b width"]) -> Float[Tensor, "b width"]:
    return x


def recurrent(self: Any, x: Float[Tensor, "t b d"], h: Float[Tensor, "1 b k"]) -> Float[Tensor, "t b k"]:
    return self.rnn(x, h)[0]


_MODELS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (linear, {"fc": nn.Linear(8, 2)}, {"sizes": {"d": 8}}),
    (joined, {"fc": nn.Linear(9, 2)}, {"sizes": {"c": 6}}),
    (heads, {}, {"multiples": {"d": 4}}),
    (skips, {}, {"multiples": {"h": 4, "w": 4}}),
    (padded, {}, {}),
    (positions, {"table": nn.Parameter(torch.zeros(9, 6))}, {"sizes": {"t": 9, "d": 6}}),
    (asserted, {}, {"sizes": {"t": 24}}),
    (
        strided,
        {"conv": nn.Conv1d(3, 6, 3, 2, 1), "positions": nn.Parameter(torch.zeros(6, 13))},
        {"sizes": {"c": 3, "t": 26}},
    ),
    (by_name, {"width": 12}, {"sizes": {"width": 12}}),
    (recurrent, {"rnn": nn.GRU(5, 7)}, {"sizes": {"d": 5, "k": 7}}),
]


@pytest.mark.parametrize(("forward", "parts", "learnt"), _MODELS, ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_learnt(forward: Any, parts: dict[str, Any], learnt: dict[str, Any]) -> None:
    found = search(subject(forward, parts))
    assert found.fits
    assert _said(found) == learnt


def _said(found: SizeConstraints) -> dict[str, Any]:
    kinds = {"sizes": found.sizes, "multiples": found.multiples, "least": found.least, "hard_coded": found.hard_coded}
    return {kind: values for kind, values in kinds.items() if values}


def equal(self: Any, x: Float[Tensor, "b n"], y: Float[Tensor, "b m"]) -> Float[Tensor, "b n"]:
    return x + y


def shortened(self: Any, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
    return x + F.avg_pool1d(x, 4, 1)


@pytest.mark.parametrize("forward", [equal, shortened])
def test_a_size_that_hides_a_fault_is_none(forward: Any) -> None:
    found = search(subject(forward))
    assert not found.fits
    assert not found.sizes


def attention(
    self: Any, q: Float[Tensor, "_ n 8"], k: Float[Tensor, "_ m 8"], v: Float[Tensor, "_ m 8"]
) -> Float[Tensor, "_ n 8"]:
    return (q @ k.mT).softmax(-1) @ v


def encoded(self: Any, x: Float[Tensor, "b t _"], position: Float[Tensor, "_ t _"]) -> Float[Tensor, "b t _"]:
    return self.fc(x) + position


def pictures(self: Any, x: Float[Tensor, "b c h w"], position: Shaped[Tensor, "..."]) -> Float[Tensor, "b t c"]:
    return (x.flatten(2) + position.flatten(2)).mT


def channels(self: Any, x: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    return x - x.mean(1, keepdim=True) + self.bias[:, None, None]


def mapped(self: Any, q: Float[Tensor, "... 8"], k: Float[Tensor, "n 8 h w"]) -> Float[Tensor, "_ _ h w"]:
    return torch.einsum("bqc,bchw->bqhw", q, k)


@pytest.mark.parametrize(
    ("forward", "parts"),
    [
        (attention, {}),
        (mapped, {}),
        (encoded, {"fc": nn.Linear(8, 8)}),
        (pictures, {}),
        (channels, {"bias": nn.Parameter(torch.zeros(6))}),
        (equal, {}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_arguments_get_equal_sizes_where_annotations_are_inferred(forward: Any, parts: dict[str, Any]) -> None:
    assert not search(subject(forward, parts)).fits
    assert search(subject(forward, parts), aligns=True).fits


def test_several_axes_do_not_get_large_sizes_together() -> None:
    seen = []

    def forward(self: Any, x: Float[Tensor, "b c h w"], y: Float[Tensor, "n"]) -> Float[Tensor, "b"]:
        seen.append(x.numel())
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied (320x320 and 8x8)")

    assert not search(subject(forward, {"fc": nn.Linear(8, 320)})).fits
    assert max(seen) <= 3 * 128**3


def test_sizes_that_work_are_not_made_equal() -> None:
    found = search(subject(joined, {"fc": nn.Linear(9, 2)}), aligns=True)
    assert len(set(found.plan.sizes.values())) == len(found.plan.sizes)


def embedded(self: Any, labels: Shaped[Tensor, "b"]) -> Float[Tensor, "b 4"]:
    return self.emb(labels)


def filled(self: Any, x: Float[Tensor, "b t"], mask: Shaped[Tensor, "b t"]) -> Float[Tensor, "b t"]:
    return x.masked_fill(mask, 0)


def gathered(self: Any, x: Float[Tensor, "n d"], index: Shaped[Tensor, "n"]) -> Float[Tensor, "n d"]:
    return x[index]


@pytest.mark.parametrize(
    ("forward", "dtypes"),
    [
        (embedded, {"labels": torch.int64}),
        (filled, {"mask": torch.bool}),
        (gathered, {"index": torch.int64}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_tensor_of_any_dtype_gets_the_one_that_its_operator_asks_for(forward: Any, dtypes: dict[str, Any]) -> None:
    found = search(subject(forward, {"emb": nn.Embedding(31, 4)}))
    assert found.fits
    assert found.plan.dtypes == dtypes


def test_a_number_that_only_the_code_knows_is_hard_coded() -> None:
    def forward(self: Any, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
        return x + torch.arange(6)

    found = search(subject(forward))
    assert (found.sizes, list(found.hard_coded)) == ({"t": 6}, ["t"])


def test_integers_are_as_large_as_what_they_index() -> None:
    def forward(self: Any, x: Int[Tensor, "b t"], y: Int[Tensor, "b"], z: Float[Tensor, "n d"]) -> Float[Tensor, "b d"]:
        return self.emb(x).sum() + z[y]

    found = search(subject(forward, {"emb": nn.Embedding(31, 4)}))
    assert found.plan.ranges == {"x": (0, 30), "y": (0, found.plan.sizes["n"] - 1)}


def test_lengths_are_followed_through_a_sort() -> None:
    def forward(self: Any, x: Float[Tensor, "b t 2"], lengths: Int[Tensor, "b"]) -> Float[Tensor, "n 2"]:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        return packed.data

    found = search(subject(forward))
    assert found.fits
    assert found.plan.ranges == {"lengths": (1, found.plan.sizes["t"])}


def test_the_first_inputs_of_a_lazy_model_fix_its_sizes() -> None:
    found = search(subject(linear, {"fc": nn.LazyLinear(2)}))
    assert found.fits
    assert list(found.sizes) == ["d"]


@pytest.mark.parametrize(
    "wrong",
    [
        AttributeError("x"),
        NameError("y"),
        RuntimeError("expected scalar type Float but found Double"),
        TypeError("'NoneType' object is not subscriptable"),
    ],
)
def test_what_no_size_mends_is_tried_once(wrong: Exception) -> None:
    def forward(self: Any, x: Float[Tensor, "b t"]) -> Float[Tensor, "b t"]:
        raise wrong

    found = search(subject(forward))
    assert not found.fits
    assert found.tries <= 2
