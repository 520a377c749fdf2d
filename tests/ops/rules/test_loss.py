"""Losses: which shapes and dtypes of input and target go together, and what each reduction leaves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from shapecheck import TensorSpec, infer
from shapecheck.spec import DTypeError, ShapeError
from tests.ops.laws import T, agree
from tests.versions import TORCH


def spec(*dims: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(dims, dtype)


def classes(*dims: Any, dtype: str = "int64") -> TensorSpec:
    return TensorSpec(dims, dtype)


NONE = {"reduction": "none"}


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("cross_entropy", (spec("b", "c"), classes("b")), "torch.float32 (b,)"),
        ("cross_entropy", (spec("b", "c", "t"), classes("b", "t")), "torch.float32 (b, t)"),
        ("cross_entropy", (spec("b", "c", "h", "w"), spec("b", "c", "h", "w")), "torch.float32 (b, h, w)"),
        ("cross_entropy", (spec("b", "c"), spec("b", "c", dtype="float64")), "torch.float64 (b,)"),
        ("cross_entropy", (spec("c"), classes()), "torch.float32 ()"),
        ("cross_entropy", (spec("c"), spec("c")), "torch.float32 ()"),
        ("cross_entropy", (spec(...), classes("b", "t")), "torch.float32 (b, t)"),
        (
            "nll_loss",
            (spec("b", "c", "t", dtype="bfloat16"), classes("b", "t", dtype="uint8")),
            "torch.bfloat16 (b, t)",
        ),
        ("linear_cross_entropy", (spec("n", "d"), spec("c", "d"), classes("n")), "torch.float32 (n,)"),
        ("mse_loss", (spec("b", 1), spec("b")), "torch.float32 (b, b)"),
        ("mse_loss", (spec("b"), classes("b")), "torch.float32 (b,)"),
        ("l1_loss", (spec("b", dtype="complex64"), spec("b")), "torch.float32 (b,)"),
        ("l1_loss", (classes("b"), classes("b")), "torch.int64 (b,)"),
        ("huber_loss", (spec("b"), spec("b", dtype="float64")), "torch.float32 (b,)"),
        ("binary_cross_entropy_with_logits", (spec("b", dtype=None), spec("b")), "torch.float32 (b,)"),
        ("binary_cross_entropy", (spec(...), spec("b", 3)), "torch.float32 (b, 3)"),
        ("kl_div", (spec("b", 1), spec("c")), "torch.float32 (b, c)"),
        ("poisson_nll_loss", (classes("b"), classes("b")), "torch.float32 (b,)"),
        ("gaussian_nll_loss", (spec("b", "d"), spec("b", "d"), spec("b")), "torch.float32 (b, d)"),
        ("hinge_embedding_loss", (spec("b"), classes("b")), "torch.float32 (b,)"),
        ("soft_margin_loss", (spec("b", "d"), spec("d")), "torch.float32 (b, d)"),
        ("multilabel_soft_margin_loss", (spec("b", "c"), spec("b", "c")), "torch.float32 (b,)"),
        ("multi_margin_loss", (spec("b", "c"), classes("b")), "torch.float32 (b,)"),
        ("multilabel_margin_loss", (spec("b", "c"), classes("b", "c")), "torch.float32 (b,)"),
        ("margin_ranking_loss", (classes("b"), classes("b"), classes("b")), "torch.float32 (b,)"),
        ("cosine_embedding_loss", (spec("b", "d"), spec("b", "d"), classes("b")), "torch.float32 (b,)"),
        ("triplet_margin_loss", (spec(..., "d"), spec(..., "d"), spec("b", "d")), None),
        ("ctc_loss", (spec("t", "b", "c"), classes("b", "s"), classes("b"), classes("b")), "torch.float32 (b,)"),
    ],
)
def test_elements_and_their_reduction(name: str, args: tuple[TensorSpec, ...], result: str | None) -> None:
    if result is not None:
        assert str(infer(f"F.{name}", *args, **NONE)) == result
    whole = infer(f"F.{name}", *args, reduction="sum")
    assert whole.rank == 0
    assert result is None or result.startswith(str(whole.dtype))


def test_the_old_flags_and_the_numbers_of_aten() -> None:
    pair = (spec("b"), spec("b"))
    assert infer("F.mse_loss", *pair, reduce=False).rank == 1
    assert infer("F.mse_loss", *pair, size_average=False).rank == 0
    assert infer("aten.mse_loss.default", *pair, 0).rank == 1
    assert infer("torch.kl_div", *pair, 1, log_target=True).rank == 0
    assert infer("aten.nll_loss_forward.default", spec("b", "c"), classes("b"), None, 0, -100)[0].rank == 1


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "cross_entropy",
            (spec(8, 10), classes(8, 10, 1)),
            "expected a target of shape (8,) (class indices) or probabilities of shape (8, 10), got (8, 10, 1)",
        ),
        (
            "cross_entropy",
            (spec("b", "t", "c"), classes("b", "t")),
            "expected a target of shape (b, c) (class indices) or probabilities of shape (b, t, c), got (b, t)",
        ),
        (
            "cross_entropy",
            (spec("b", "c"), classes("b"), spec("b")),
            "expected a weight of shape (c,), one value per class of (b, c), got (b,)",
        ),
        ("cross_entropy", (spec(), classes()), "expected an input of shape (C,) or (N, C, ...), got ()"),
        (
            "nll_loss",
            (spec("b", "c"), classes("b", "c")),
            "expected a target of shape (b,), got (b, c) (input of shape (b, c))",
        ),
        (
            "linear_cross_entropy",
            (spec("n", 3), spec("c", 4), classes("n")),
            "expected the last dimension of the input to be 4, got 3 (linear_weight of shape (c, 4))",
        ),
        (
            "binary_cross_entropy_with_logits",
            (spec("b", 1), spec("b")),
            "expected a target of shape (b, 1), got (b,)",
        ),
        (
            "binary_cross_entropy",
            (spec("b"), spec("b"), spec(2, "b")),
            "cannot broadcast the weight of shape (2, b) to the input of shape (b,)",
        ),
        ("l1_loss", (spec("b", 3), spec("b", 4)), "cannot broadcast (b, 3) and (b, 4): 3 != 4 in dimension -1"),
        (
            "soft_margin_loss",
            (spec("b", 1), spec("b", 4)),
            "cannot broadcast the target of shape (b, 4) to the input of shape (b, 1)",
        ),
        (
            "gaussian_nll_loss",
            (spec(3, 4), spec(3, 4), spec(3, 2)),
            "expected var of shape (3, 4), with 1 in at most one dimension, got (3, 2)",
        ),
        (
            "multi_margin_loss",
            (spec("b", "c"), classes("c")),
            "expected a target of shape (b,), got (c,) (input of shape (b, c))",
        ),
        (
            "margin_ranking_loss",
            (spec("b"), spec("b"), spec()),
            "expected inputs of the same rank, got input1 of shape (b,), input2 of shape (b,), target of shape ()",
        ),
        (
            "cosine_embedding_loss",
            (spec("b", "d"), spec("b", "d"), spec()),
            "expected input1 to be 1-D for a 0-D target, got shapes (b, d) and ()",
        ),
        (
            "triplet_margin_loss",
            (spec("b", "d"), spec("d"), spec("b", "d")),
            "expected inputs of the same rank, got anchor of shape (b, d), positive of shape (d,), negative of",
        ),
        ("huber_loss", (spec("b"), spec("b"), "mean", 0), "expected delta to be positive, got 0"),
        (
            "mse_loss",
            (spec("b"), spec("b"), None, None, "median"),
            'expected reduction to be "none", "mean" or "sum", got "median"',
        ),
        (
            "ctc_loss",
            (spec(5, 2, 4), classes(3, 3), classes(2), classes(2)),
            "expected dimension 0 of targets to be 2, got 3 (log_probs of shape (5, 2, 4))",
        ),
    ],
)
def test_a_refusal_says_what_is_due(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ShapeError) as refusal:
        infer(f"F.{name}", *args)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        (
            "cross_entropy",
            (spec("b", "c"), classes("b", dtype="int32")),
            "expected a target of dtype torch.int64 (class indices), got torch.int32",
        ),
        (
            "cross_entropy",
            (spec("b", "c"), spec("b")),
            "expected a target of dtype torch.int64 (class indices), got torch.float32",
        ),
        (
            "cross_entropy",
            (spec("b", "c"), classes("b", "c")),
            "expected a floating-point target, got torch.int64: a target of shape (b, c), that of the input",
        ),
        ("mse_loss", (classes("b"), classes("b")), "expected a floating-point dtype, got torch.int64"),
        (
            "l1_loss",
            (classes("b"), classes("b")),
            'expected a floating-point or complex dtype for reduction="mean", got',
        ),
        (
            "binary_cross_entropy",
            (spec("b"), classes("b")),
            "expected input and target to have the same dtype, got torch.float32 and torch.int64",
        ),
        (
            "binary_cross_entropy_with_logits",
            (spec("b"), classes("b")),
            "cannot cast the result to torch.int64: the input promotes it to torch.float32",
        ),
        ("kl_div", (spec("b"), classes("b")), "expected the target to have a floating-point dtype, got torch.int64"),
        (
            "soft_margin_loss",
            (classes("b"), spec("b")),
            "expected the input to have a floating-point dtype, got torch.int64",
        ),
    ],
)
def test_dtypes_are_torchs(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(DTypeError) as refusal:
        infer(f"F.{name}", *args)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("F.cosine_similarity", (spec("a", 1, "d"), spec("b", "d"), -1), "torch.float32 (a, b)"),
        ("torch.cosine_similarity", (spec(..., "d"), spec("b", "d"), -1), None),
        ("F.pairwise_distance", (spec("b", "d"), spec("d")), "torch.float32 (b,)"),
        ("F.pdist", (spec("n", "d"),), "torch.float32 ((n**2-n)//2,)"),
    ],
)
def test_distances(name: str, args: tuple[Any, ...], result: str | None) -> None:
    answer = infer(name, *args)
    assert str(answer) == result if result else answer.rank is None


SMALL = st.integers(1, 4)


@settings(max_examples=25, deadline=None)
@given(SMALL, SMALL, SMALL)
def test_symbols_numbers_and_torch_agree(b: int, c: int, t: int) -> None:
    sizes = {"b": b, "c": c, "t": t}
    agree("F.cross_entropy", F.cross_entropy, lambda b, c, t: (T(b, c, t), T(b, t, dtype="int64"), NONE), sizes)
    agree("F.cross_entropy", F.cross_entropy, lambda b, c, t: (T(b, c, t), T(b, c, t), NONE), sizes)
    agree("F.nll_loss", F.nll_loss, lambda b, c, t: (T(b, c), T(t, dtype="int64"), NONE), sizes)
    agree("F.mse_loss", F.mse_loss, lambda b, c, t: (T(b, 1), T(c), NONE), sizes)
    agree("F.soft_margin_loss", F.soft_margin_loss, lambda b, c, t: (T(b, c), T(b, t), NONE), sizes)
    agree(
        "F.binary_cross_entropy_with_logits",
        F.binary_cross_entropy_with_logits,
        lambda b, c, t: (T(b, c), T(b, t), NONE),
        sizes,
    )
    if TORCH >= (2, 8):  # 2.4 takes no number for `var`
        agree("F.gaussian_nll_loss", F.gaussian_nll_loss, lambda b, c, t: (T(b, c), T(b, c), 1.0, NONE), sizes)
    agree("F.triplet_margin_loss", F.triplet_margin_loss, lambda b, c, t: (T(b, c), T(t, c), T(1, c), NONE), sizes)
    agree("F.cosine_similarity", F.cosine_similarity, lambda b, c, t: (T(b, c), T(t, c)), sizes)
    agree("F.pdist", F.pdist, lambda b, c, t: (T(b, c),), sizes)


def test_losses_of_torch_do_not_reduce_unless_told_to() -> None:
    pair = TensorSpec((4, 5), "float32"), TensorSpec((4, 5), "float32")
    assert infer("torch.kl_div", *pair).shape == (4, 5)
    assert infer("torch.ops.aten.kl_div", *pair).shape == ()
    assert infer("torch.hinge_embedding_loss", *pair).shape == (4, 5)
    assert infer("torch.hinge_embedding_loss", *pair, reduction=1).shape == ()
