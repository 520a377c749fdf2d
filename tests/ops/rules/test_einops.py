"""einops against einops itself, and with names for sizes."""

from __future__ import annotations

from typing import Any

import einops
import pytest
import torch
from einops.layers.torch import EinMix, Rearrange, Reduce
from hypothesis import given
from hypothesis import strategies as st

from shapecheck import CallError, DTypeError, ShapeError, TensorSpec, infer
from shapecheck.spec import axis
from tests.conformance.specs import spec_of
from tests.ops.laws import T, agree


def f32(*dims: Any) -> TensorSpec:
    return TensorSpec(dims, "float32", layout="contiguous")


SYMBOLIC = [
    (("rearrange", f32("b", "t", "d"), "b t (h e) -> b h t e", {"h": 8}), "(b, 8, t, d//8)"),
    (("rearrange", f32("b", "h", "t", "e"), "b h t e -> b t (h e)"), "(b, t, h*e)"),
    (
        ("rearrange", f32("b", "c", "h", "w"), "b c (h p) (w q) -> b (h w) (p q c)", {"p": 16, "q": 16}),
        "(b, (h//16)*(w//16), 256*c)",
    ),
    (("rearrange", f32(..., 3), "b h w c -> b c h w"), "(b, 3, h, w)"),
    (("rearrange", f32(...), "b n (h d) -> b h n d", {"h": 8}), "(b, 8, n, d)"),
    (("rearrange", f32(...), "b ... (h d) -> b h ... d", {"h": 8}), "(b, 8, ..., d)"),
    (("rearrange", f32("*x", "c"), "... c -> c ..."), "(c, *x)"),
    (("rearrange", f32("b", "t", "d"), "b ... -> b (...)"), "(b, t*d)"),
    (("rearrange", f32("b", 1, "d"), "b 1 d -> b d"), "(b, d)"),
    (("rearrange", f32("b", "d"), "b d -> b () d 1"), "(b, 1, d, 1)"),
    (("rearrange", [f32("a", "b")] * 3, "n a b -> (n a) b"), "(3*a, b)"),
    (("repeat", f32("h", "w"), "h w -> h (w 2) c", {"c": 3}), "(h, 2*w, 3)"),
    (("repeat", f32("d"), "d -> b n d", {"b": axis("b"), "n": 4}), "(b, 4, d)"),
    (("reduce", f32("b", "c", "h", "w"), "b c (h 2) (w 2) -> b c h w", "max"), "(b, c, h//2, w//2)"),
    (("reduce", f32("b", "t", "d"), "b ... -> b", "mean"), "(b,)"),
    (("reduce", f32("b", "t", "d"), "b t d -> b 1 d", "sum"), "(b, 1, d)"),
]


@pytest.mark.parametrize(("call", "shown"), SYMBOLIC)
def test_names_for_sizes(call: tuple[Any, ...], shown: str) -> None:
    name, *args = call
    kwargs = args.pop() if isinstance(args[-1], dict) else {}
    answer = infer(f"einops.{name}", *args, **kwargs)
    assert str(answer.shape) == shown


def test_heads_are_split_and_merged_to_the_same_width() -> None:
    heads = infer("einops.rearrange", f32("b", "t", "d"), "b t (h e) -> b h t e", h=8)
    assert infer("einops.rearrange", heads, "b h t e -> b t (h e)").shape == f32("b", "t", "d").shape


REFUSED = [
    (
        ("rearrange", f32(2, 10), "b (c d) -> b c d", {"c": 3}),
        ShapeError,
        'expected axis (c d) of "b (c d) -> b c d" to be divisible by 3, got 10 (input of shape (2, 10))',
    ),
    (
        ("rearrange", f32(2, 10), "b c d -> b d c"),
        ShapeError,
        'expected the input to be 3-D for "b c d -> b d c", got shape (2, 10)',
    ),
    (
        ("rearrange", f32(2, 10), "a b c ... -> a b c ..."),
        ShapeError,
        'expected the input to be at least 3-D for "a b c ... -> a b c ...", got shape (2, 10)',
    ),
    (
        ("rearrange", f32(2, 10), "b 1 -> b"),
        ShapeError,
        'expected axis 1 of "b 1 -> b" to be 1, got 10 (input of shape (2, 10))',
    ),
    (
        ("rearrange", f32(2, 12), "b (c d) -> b c d", {"c": 3, "d": 5}),
        ShapeError,
        'expected axis (c d) of "b (c d) -> b c d" to be 15, got 12 (input of shape (2, 12))',
    ),
    (
        ("rearrange", f32(2, 12), "b (c d) -> b c d"),
        CallError,
        'cannot infer c and d in (c d) of "b (c d) -> b c d"; pass d=...',
    ),
    (("rearrange", f32(2, 12), "b c -> b"), CallError, 'expected every axis on both sides of "b c -> b", missing c'),
    (
        ("rearrange", f32(2, 12), "b c -> c b", {"e": 3}),
        CallError,
        'got an unexpected keyword argument "e": no such axis in "b c -> c b"',
    ),
    (
        ("rearrange", f32(2, 12), "b 12 -> b 12"),
        CallError,
        'expected no number other than 1 in the pattern, got "b 12 -> b 12"',
    ),
    (("rearrange", f32(2, 12), "b b -> b"), CallError, 'axis "b" appears twice in "b b"'),
    (("rearrange", f32(2, 12), "b (c -> b c"), CallError, 'unmatched ( in "b (c"'),
    (("rearrange", f32(2, 12), "b c"), CallError, 'expected one -> in the pattern, got "b c"'),
    (("rearrange", f32(2, 12), "b _c -> _c b"), CallError, '"_c" is not a valid axis name'),
    (("repeat", f32(2, 12), "b c -> b c d"), CallError, 'missing size of d in "b c -> b c d"; pass d=...'),
    (
        ("repeat", f32(2, 12), "b c -> b"),
        CallError,
        'expected every axis on the right of "b c -> b", missing c; use reduce to remove an axis',
    ),
    (
        ("reduce", f32(2, 12), "b c -> b d", "sum"),
        CallError,
        'expected every axis on the left of "b c -> b d", missing d; use repeat to add an axis',
    ),
    (("reduce", f32(2, 12), "b c -> b", "total"), CallError, '"prod", "any", "all" or a function, got "total"'),
    (
        ("reduce", TensorSpec((2, 3), "int64"), "b c -> b", "mean"),
        DTypeError,
        "expected a floating-point or complex dtype for the mean, got torch.int64",
    ),
    (
        ("einsum", f32(2, 3), f32(4, 5), "i k, k j -> i j"),
        ShapeError,
        "expected axis k to have the same size in all tensors, got 3 and 4",
    ),
    (
        ("einsum", f32(2, 3), "i k, k j -> i j"),
        CallError,
        'expected the number of tensors for "i k, k j -> i j" to be 2, got 1',
    ),
    (
        ("unpack", f32(2, 10), [(3,), (4,)], "b *"),
        ShapeError,
        "expected packed_shapes to have 10 elements in total, got 7 for [(3,), (4,)] (input of shape (2, 10))",
    ),
    (("unpack", f32(2, 10), [(-1,), (-1,)], "b *"), CallError, "only one size can be -1, got [(-1,), (-1,)]"),
    (
        ("pack", [f32(2), f32(2, 3)], "a b *"),
        ShapeError,
        'expected tensor 0 to be at least 2-D for "a b *", got shape (2,)',
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED)
def test_refused_as_einops_refuses(call: tuple[Any, ...], kind: type[ShapeError], message: str) -> None:
    name, *args = call
    kwargs = args.pop() if isinstance(args[-1], dict) else {}
    with pytest.raises(kind) as refusal:
        infer(f"einops.{name}", *args, **kwargs)
    assert message in str(refusal.value)
    with pytest.raises((einops.EinopsError, RuntimeError, ValueError, NotImplementedError)):
        getattr(einops, name)(*_real(args), **kwargs)


def _real(value: Any) -> Any:
    if isinstance(value, TensorSpec):
        return torch.zeros(tuple(value.dims), dtype=getattr(torch, value.dtype.name))
    return type(value)(_real(one) for one in value) if isinstance(value, (list, tuple)) else value


sizes = st.integers(1, 5)
PATTERNS = [
    "a b c -> c b a",
    "a b c -> (a b c)",
    "a b c -> a (c b)",
    "a b (c m) -> a m (b c)",
    "(a m) b c -> m a c b",
    "a ... -> ... a",
    "... c -> c (...)",
    "a b c -> 1 (a c) () b",
]


@given(st.sampled_from(PATTERNS), sizes, sizes, sizes, st.integers(1, 3))
def test_rearrange_as_einops_does(pattern: str, a: int, b: int, c: int, m: int) -> None:
    lengths = {"m": m} if "m" in pattern else {}
    grown = {"a": a * m if "(a m)" in pattern else a, "b": b, "c": c * m if "(c m)" in pattern else c}
    agree("einops.rearrange", einops.rearrange, lambda a, b, c: (T(a, b, c), pattern, lengths), grown)


@given(
    st.sampled_from(["a b c -> a", "a b c -> b 1", "a ... -> ...", "a b c -> ", "(a 1) b c -> c"]),
    st.sampled_from(["sum", "mean", "max", "prod"]),
    sizes,
    sizes,
    sizes,
)
def test_reduce_as_einops_does(pattern: str, reduction: str, a: int, b: int, c: int) -> None:
    agree("einops.reduce", einops.reduce, lambda a, b, c: (T(a, b, c), pattern, reduction), {"a": a, "b": b, "c": c})


@given(st.sampled_from(["a b -> a b n", "a b -> (n a) b", "a ... -> a n ...", "a b -> a 2 b 3 n"]), sizes, sizes, sizes)
def test_repeat_as_einops_does(pattern: str, a: int, b: int, n: int) -> None:
    agree("einops.repeat", einops.repeat, lambda a, b, n: (T(a, b), pattern, {"n": n}), {"a": a, "b": b, "n": n})


@given(st.sampled_from(["a b, b c -> a c", "a b, b c -> c", "a b, b c ->", "... b, b c -> ... c"]), sizes, sizes, sizes)
def test_einsum_as_einops_does(pattern: str, a: int, b: int, c: int) -> None:
    agree("einops.einsum", einops.einsum, lambda a, b, c: (T(a, b), T(b, c), pattern), {"a": a, "b": b, "c": c})


@given(st.sampled_from(["a b, b c -> a c", "b a, c b -> b", "... b, b c -> ... b c"]), sizes, sizes, sizes)
def test_einsum_broadcasts_sizes_of_one(pattern: str, a: int, b: int, c: int) -> None:
    given = {"a": a, "b": b, "c": c}
    if pattern.startswith("b a"):
        agree("einops.einsum", einops.einsum, lambda a, b, c: (T(1, a), T(c, b), pattern), given)
    else:
        agree("einops.einsum", einops.einsum, lambda a, b, c: (T(a, b), T(1, c), pattern), given)


@given(sizes, sizes, sizes)
def test_pack_and_unpack_as_einops_does(a: int, b: int, c: int) -> None:
    agree(
        "einops.pack",
        einops.pack,
        lambda a, b, c: ([T(a, b, c), T(a, c), T(a, 2, 3, c)], "a * c"),
        {"a": a, "b": b, "c": c},
    )
    agree(
        "einops.unpack",
        einops.unpack,
        lambda a, b, c: (T(a, b * c + 7), [(), (b, c), (2, 3)], "a *"),
        {"a": a, "b": b, "c": c},
    )
    agree(
        "einops.unpack",
        einops.unpack,
        lambda a, b, c: (T(a, b * 2 + 3), [(3,), (-1, 2)], "a *"),
        {"a": a, "b": b, "c": c},
    )


LAYERS = [
    (Rearrange, ("b c (h p) (w q) -> b (h w) (p q c)",), {"p": 2, "q": 2}, (2, 3, 4, 6)),
    (Reduce, ("b c h w -> b c", "mean"), {}, (2, 3, 4, 6)),
    (EinMix, ("b c h w -> b o h w", "c o", "o"), {"c": 3, "o": 5}, (2, 3, 4, 6)),
    (EinMix, ("b c -> (b d)", "c d", "d"), {"c": 4, "d": 3}, (2, 4)),
    (EinMix, ("(b c) -> b d", "c d", "d"), {"c": 3, "d": 5}, (6,)),
    (EinMix, ("t b (head c) -> t b (head d)", "head c d", None), {"head": 2, "c": 3, "d": 4}, (7, 5, 6)),
    (EinMix, ("b ... (h c) -> b ... (d h)", "h c d", "d h"), {"h": 2, "c": 3, "d": 4}, (7, 5, 2, 6)),
    (EinMix, ("b 1 c -> b (c d)", "c d"), {"c": 3, "d": 2}, (2, 1, 3)),
]


@pytest.mark.parametrize(("layer", "args", "kwargs", "shape"), LAYERS)
def test_a_layer_does_what_einops_does(layer: Any, args: Any, kwargs: Any, shape: tuple[int, ...]) -> None:
    ours = infer(f"einops.layers.torch.{layer.__name__}", *args, **kwargs)(f32(*shape))
    real = layer(*args, **kwargs)(torch.zeros(shape))
    assert (ours.shape, str(ours.dtype)) == (tuple(real.shape), str(spec_of(real).dtype))


EIN_MIX = [row[1:] for row in LAYERS if row[0] is EinMix]


@pytest.mark.parametrize(("args", "kwargs", "shape"), EIN_MIX)
def test_the_parameters_of_ein_mix_have_the_shapes_of_einops(args: Any, kwargs: Any, shape: tuple[int, ...]) -> None:
    ours, real = infer("einops.layers.torch.EinMix", *args, **kwargs), EinMix(*args, **kwargs)
    assert ours.weight.shape == tuple(real.weight.shape)
    assert (ours.bias is None) == (real.bias is None)
    assert ours.bias is None or ours.bias.shape == tuple(real.bias.shape)


@pytest.mark.parametrize(
    ("pattern", "sizes", "shape"),
    [
        ("(b c) -> b d", {"c": 3, "d": 5}, (7,)),
        ("t b (head c) -> t b (head d)", {"head": 2, "c": 3, "d": 4}, (7, 5, 9)),
        ("b c -> (b d)", {"c": 4, "d": 3}, (2, 5)),
    ],
)
def test_ein_mix_refuses_the_inputs_that_einops_refuses(
    pattern: str, sizes: dict[str, int], shape: tuple[int, ...]
) -> None:
    weight = " ".join(name for name in sizes)
    layer = infer("einops.layers.torch.EinMix", pattern, weight, **sizes)
    with pytest.raises(ShapeError):
        layer(f32(*shape))
    with pytest.raises((einops.EinopsError, RuntimeError)):
        EinMix(pattern, weight, **sizes)(torch.zeros(shape))
