"""axis-order: merged dimensions that are separated, or combined with others, in another order.

Torch decides what the order is: every element is labeled by its place in the batch.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from .programs import place, reported

B, H, T, D = 2, 3, 4, 5

MERGED = {
    "the batch first": ("x.view(b, t, h, d).transpose(1, 2).reshape(b * h, t, d)", "(b, h)"),
    "the heads first": ("x.view(b, t, h, d).permute(2, 0, 1, 3).reshape(b * h, t, d)", "(h, b)"),
    "an inferred size": ("x.view(b, t, h, d).permute(2, 0, 1, 3).reshape(-1, t, d)", "(h, b)"),
    "flatten": ("x.view(b, t, h, d).transpose(1, 2).flatten(0, 1)", "(b, h)"),
    "movedim": ("x.view(b, t, h, d).movedim(2, 0).flatten(0, 1)", "(h, b)"),
    "repeat": ("y.repeat(h, 1, 1)", "(h, b)"),
    "repeat_interleave": ("y.repeat_interleave(h, 0)", "(b, h)"),
    "repeat_interleave by name": ("y.repeat_interleave(repeats=h, dim=0)", "(b, h)"),
    "then an operator": ("torch.relu(y.repeat(h, 1, 1)).softmax(-1)", "(h, b)"),
    "then a product": ("y.repeat(h, 1, 1) @ torch.ones(b * h, d, d)", "(h, b)"),
    "then a layer": ("torch.nn.Identity()(y.repeat_interleave(h, 0))", "(b, h)"),
}
PROGRAM = """
def function(x: Float[Tensor, "b t w"], y: Float[Tensor, "b t d"], mask: Float[Tensor, "b t"], h: int):
    b, t, d = y.shape
    merged = {merged}
    return {result}
"""


def orders(tmp_path: Path, merged: str, result: str) -> list[str]:
    found = reported(tmp_path, PROGRAM.format(merged=merged, result=result))
    return [message for _, code, message in found if code == "axis-order"]


@pytest.mark.parametrize(("merged", "order"), MERGED.values(), ids=MERGED)
def test_a_view_in_another_order(tmp_path: Path, merged: str, order: str) -> None:
    one, other = ("(b, h)", "(h, b)") if order == "(b, h)" else ("(h, b)", "(b, h)")
    assert orders(tmp_path, merged, f"merged.view({one[1:-1]}, t, d)") == []
    (message,) = orders(tmp_path, merged, f"merged.view({other[1:-1]}, t, d)")
    assert message == (
        f"view of (b*h, t, d) as ({other[1:-1]}, t, d) shuffles elements that are ordered ({one[1:-1]}, t, d)"
        "; use permute or transpose first"
    )


@pytest.mark.parametrize(("merged", "order"), MERGED.values(), ids=MERGED)
@pytest.mark.parametrize(
    "masked",
    [
        "merged.sum(-1) + {}",
        "merged[..., 0].masked_fill({} == 0, 0.0)",
        "merged.mT @ ({}).unsqueeze(-1)",
    ],
)
def test_operands_in_different_orders(tmp_path: Path, merged: str, order: str, masked: str) -> None:
    for mask, of_mask in (("mask.repeat(h, 1)", "(h, b)"), ("mask.repeat_interleave(h, 0)", "(b, h)")):
        found = orders(tmp_path, merged, masked.format(mask))
        if of_mask == order:
            assert found == []
        else:
            (message,) = found
            assert {"is ordered (b, h)", "is ordered (h, b)"} <= {message[i : i + 17] for i in range(len(message))}


def _labels(merged: str) -> Tensor:
    """The result for elements that are their own place in the batch."""
    batch = torch.arange(B).view(B, 1, 1).expand(B, T, D).float()
    names = {"x": batch.repeat(1, 1, H), "y": batch, "b": B, "t": T, "h": H, "d": D, "torch": torch}
    return eval(merged, names)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("merged", "order"), [one for one in MERGED.values() if "relu" not in one[0]])
def test_the_order_is_that_of_torch(merged: str, order: str) -> None:
    batches = _labels(merged)[:, 0, 0] / (D if "ones" in merged else 1)
    expected = torch.arange(B).repeat_interleave(H) if order == "(b, h)" else torch.arange(B).repeat(H)
    assert batches.tolist() == expected.tolist()


ADVICE = "; use permute or transpose first"
FOUND = {
    "the directions of a recurrent layer": (
        "h = torch.cat([x[0], x[1]], dim=0); return h.view(1, t, 2 * d)  # HERE",
        "view of (2*t, d) as (1, t, 2*d) shuffles elements that are ordered (2, t, d)" + ADVICE,
    ),
    "chunks": (
        "y = torch.cat(x.chunk(2, dim=2), dim=0); return y.view(b, 2, t, -1)  # HERE",
        None,
    ),
    "stacked": (
        "y = torch.stack([x, x + 1]).flatten(0, 1); return y.view(b, 2, t, d)  # HERE",
        "view of (2*b, t, d) as (b, 2, t, d) shuffles elements that are ordered (2, b, t, d)" + ADVICE,
    ),
    "samples": (
        "y = x.repeat(k, 1, 1).tanh(); return y.reshape(b, k, t, d)  # HERE",
        "reshape of (b*k, t, d) as (b, k, t, d) shuffles elements that are ordered (k, b, t, d)" + ADVICE,
    ),
    "parts of an operand": (
        "y = torch.cat([x, x]); z = x.repeat_interleave(2, 0); return y - z  # HERE",
        "-: dimension 0 of (2*b, t, d) is ordered (2, b), but dimension 0 of (2*b, t, d) is ordered (b, 2)",
    ),
}
QUIET = {
    "in the same order": "y = x.repeat(k, 1, 1); return y.view(k, b, t, d)",
    "merged with others": "y = x.repeat(k, 1, 1); return y.view(k * b * t, d)",
    "one row for all": "y = x[0].repeat(b, 1); return y.view(b, t, d)",
    "the last rows": "y = x.repeat(1, k, 1); return y.view(b, k, t, d)",
    "parts of different sizes": "y = torch.cat([x, x[:1]]); return y.view(-1, t, d)",
    "a list of unknown length": "y = torch.cat([x for _ in range(k)]); return y.view(b, k, t, d)",
    "what only one operand has": "y = x.repeat(k, 1, 1); return y + rows.view(b * k, 1, 1)",
    "features that a layer combines": (
        "y = x.unsqueeze(2).repeat(1, 1, k, 1).flatten(2); y = nn.Linear(k * d, k * d)(y)\n"
        "    return y.view(b, t, d, k)"
    ),
    "back in order": (
        "y = x.repeat(k, 1, 1).view(k, b, t, d)\n"
        "    y = y.transpose(0, 1).reshape(b * k, t, d); return y.view(b, k, t, d)"
    ),
}
SAMPLES = """
def function(x: Tensor, rows: Tensor, k: int):
    b, t, d = x.shape
    {}
"""


@pytest.mark.parametrize(("body", "message"), FOUND.values(), ids=FOUND)
def test_found(tmp_path: Path, body: str, message: str | None) -> None:
    source = SAMPLES.format(body)
    (found,) = reported(tmp_path, source)
    assert found[:2] == (place(source), "axis-order")
    assert message is None or found[2] == message


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_quiet(tmp_path: Path, body: str) -> None:
    assert reported(tmp_path, SAMPLES.format(body)) == []


def test_sizes_of_a_tensor_of_unknown_rank_cancel(tmp_path: Path) -> None:
    """Each reading of `x.size(0)` is the same size, so that the rows are known to be (batch, heads)."""
    source = """
    def function(x: Tensor, q: Tensor, h: int, d: int):
        q = q.view(x.size(0), x.size(1), h, d).transpose(1, 2).reshape(-1, x.size(1), d)
        return q.view(h, x.size(0), x.size(1), d)  # HERE
    """
    (found,) = reported(tmp_path, source)
    assert found[:2] == (place(source), "axis-order")
