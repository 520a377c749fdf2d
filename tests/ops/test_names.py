"""Any spelling of an operator leads to its rule."""

from __future__ import annotations

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import find

SPELLINGS = {
    "matmul": """
        matmul torch.matmul Tensor.matmul torch.Tensor.matmul @ __matmul__ torch.Tensor.__matmul__ operator.matmul
        torch.ops.aten.matmul torch.ops.aten.matmul.default aten.matmul aten::matmul torch._C.TensorBase.matmul
    """,
    "linear": "F.linear torch.nn.functional.linear nn.functional.linear torch._C._nn.linear aten.linear.default",
    "conv2d": "torch.conv2d F.conv2d torch.nn.functional.conv2d nn.functional.conv2d",
    "add": "+ torch.add Tensor.add __add__ operator.add aten.add.Tensor aten.add.Scalar",
    "floor_divide": "// torch.floor_divide __floordiv__ Tensor.__floordiv__",
    "bitwise_and": "& __and__ torch.bitwise_and",
    "linalg.norm": "torch.linalg.norm linalg.norm torch._C._linalg.linalg_norm torch.ops.aten.linalg_norm",
    "permute": "torch.permute Tensor.permute torch.ops.aten.permute.default",
    "permute_copy": "torch.permute_copy torch.ops.aten.permute_copy.default",
}
LAYERS = {
    "nn.Linear": "nn.Linear torch.nn.Linear torch.nn.modules.linear.Linear nn.modules.Linear",
    "nn.Conv2d": "nn.Conv2d torch.nn.modules.conv.Conv2d",
}
# The same word, another operator.
APART = [
    ("Tensor.unfold", "F.unfold"),
    ("nn.Flatten", "torch.flatten"),
    ("torch.norm", "torch.linalg.norm"),
    ("nn.Embedding", "F.embedding"),
    ("aten.embedding", "F.embedding"),
    ("nn.Unfold", "F.unfold"),
]


@pytest.mark.parametrize(
    ("canonical", "spelling"), [(name, one) for name, many in SPELLINGS.items() for one in many.split()]
)
def test_a_spelling_of(canonical: str, spelling: str) -> None:
    found = find(spelling)
    assert found is not None
    assert found.name == canonical


@pytest.mark.parametrize(("layer", "spelling"), [(name, one) for name, many in LAYERS.items() for one in many.split()])
def test_a_spelling_of_a_layer(layer: str, spelling: str) -> None:
    assert find(spelling) is find(layer) is not None


@pytest.mark.parametrize(("one", "other"), APART)
def test_these_are_two_operators(one: str, other: str) -> None:
    assert find(one) is not None
    assert find(other) is not None
    assert find(one) is not find(other)


@pytest.mark.parametrize(
    "spelling",
    [
        "",
        ".",
        "torch.",
        "torch.nn.Linearr",
        "numpy.add",
        "__",
        "____",
        "_",
        "aten.",
        "torch.ops",
        "nn.linear",
        "torch.ops.aten.mm.overloads",
        "torch.ops.aten.mm.default.name",
        "torch.ops.aten.mm.default._schema",
        "torch.ops.aten.mm.default._schema.name.split",
        "torch.ops.aten.mm._qualified_op_name.split",
        "torch.ops.aten.mm.op_overloads",
    ],
)
def test_no_operator(spelling: str) -> None:
    assert find(spelling) is None


def test_a_reflected_operator_takes_its_operands_the_other_way_round() -> None:
    x, y = TensorSpec(("b", 3), "float32"), TensorSpec((3, 5), "float32")
    assert infer("Tensor.__rmatmul__", y, x).shape == infer("@", x, y).shape


def test_an_in_place_operator_gives_back_its_first_argument() -> None:
    x = TensorSpec(("b", 3), "float32", layout="contiguous")
    assert infer("Tensor.add_", x, TensorSpec((3,), "float64")) is x
    assert infer("__iadd__", x, 1) is x
