"""`infer` with torch's own objects in place of specifications, names and numbers."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops.torch_objects import converted
from shapecheck.ops.unknown import Other

torch = pytest.importorskip("torch")
FakeTensorMode = pytest.importorskip("torch._subclasses.fake_tensor").FakeTensorMode
X = TensorSpec(("b", 3), "float32")


def test_torch_is_not_imported_for_it() -> None:
    program = (
        "import sys; from shapecheck import TensorSpec, infer\n"
        "infer('softmax', TensorSpec((2, 3), 'float32'), 0, dtype='float64')\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def fake(*dims: int) -> Any:
    with FakeTensorMode():
        return torch.zeros(dims)


CALLS = {
    "a dtype": (("softmax", X, 0), {"dtype": torch.float64}, "torch.float64 (b, 3)"),
    "a dtype of a method": (("Tensor.to", X, torch.float64), {}, "torch.float64 (b, 3)"),
    "a device": (("Tensor.to", X, torch.device("cuda:0")), {}, "torch.float32 (b, 3)"),
    "a tensor whose dtype it takes": (("Tensor.to", X, torch.zeros(1, dtype=torch.int8)), {}, "torch.int8 (b, 3)"),
    "sizes": (("zeros", torch.Size([2, 3])), {}, "torch.float32 (2, 3)"),
    "sizes as data": (("tensor", torch.Size([2, 3])), {}, "torch.int64 (2,)"),
    "a dtype, a device and a layout": (
        ("zeros", 2),
        {"dtype": torch.int32, "device": torch.device("meta"), "layout": torch.strided},
        "torch.int32 (2,)",
    ),
    "a generator": (("randn", 2), {"generator": torch.Generator()}, "torch.float32 (2,)"),
    "tensors": (("matmul", torch.zeros(2, 3), torch.zeros(3, 4)), {}, "torch.float32 (2, 4)"),
    "a meta tensor": (("relu", torch.zeros(2, device="meta")), {}, "torch.float32 (2,)"),
    "a fake tensor": (("F.linear", fake(2, 3), torch.nn.Parameter(torch.zeros(5, 3))), {}, "torch.float32 (2, 5)"),
    "a list": (("cat", [torch.zeros(2, 3), X]), {}, "torch.float32 (b+2, 3)"),
    "an index": (("Tensor.__getitem__", X, (slice(None), torch.tensor([0, 1]))), {}, "torch.float32 (b, 2)"),
    "dtypes alone": (("promote_types", torch.float16, torch.int64), {}, "torch.float16"),
    "a sparse tensor": (("relu", torch.zeros(3, 3).to_sparse()), {}, "torch.float32 (3, 3)"),
    "a nested tensor": (
        ("relu", torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])),
        {},
        "torch.float32 (...)",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_objects_of_torch(name: str) -> None:
    arguments, named, shown = CALLS[name]
    assert str(infer(*arguments, **named)) == shown


def test_a_memory_format() -> None:
    image = TensorSpec((1, 3, 4, 5), "float32", layout="contiguous")
    assert infer("Tensor.to", image, memory_format=torch.channels_last).layout == "channels_last"
    assert infer("Tensor.is_contiguous", torch.zeros(1, 3, 4, 5), memory_format=torch.channels_last) is False


def test_the_layout_and_the_device_of_a_tensor() -> None:
    turned = torch.zeros(2, 3).t()
    assert infer("Tensor.contiguous", turned) == TensorSpec((3, 2), "float32", layout="contiguous", device="cpu")
    with pytest.raises(ShapeError, match="use reshape"):
        infer("Tensor.view", turned, -1)


def test_a_layer() -> None:
    layer = infer("nn.Linear", 3, 4, dtype=torch.float64, device=torch.device("cpu"))
    assert str(layer(torch.zeros(2, 3, dtype=torch.float64))) == "torch.float64 (2, 4)"
    assert str(layer.cast(torch.float16).weight) == "torch.float16 (4, 3)"


def test_what_torch_refuses_is_refused() -> None:
    with pytest.raises(ShapeError, match="3 != 4"):
        infer("matmul", torch.zeros(2, 3), torch.zeros(4, 4))


def test_a_generator_is_no_tensor() -> None:
    assert converted((torch.Generator(),), {}) == ((Other("generator"),), {})
