"""The 400 names that 12 public repositories use most, each answered.

`operator_usage.csv` counts calls in modules: kind, name, calls, files.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from torch.testing._internal.common_modules import module_db

from shapecheck import UNKNOWN, ModuleSpec, TensorSpec, infer
from shapecheck.ops import find
from shapecheck.ops.registry import Entry
from shapecheck.ops.unknown import Other, Unknown
from tests.conformance.op_samples import operators

with Path(__file__).with_name("operator_usage.csv").open() as _lines:
    NAMES = [row["name"] for row in csv.DictReader(_lines)]

X = TensorSpec(("b", "t", 8), "float32", layout="contiguous")
IMAGE = TensorSpec(("b", 4, "h", "w"), "float32", layout="contiguous")
LONG = TensorSpec(("b",), "int64")


def layer(name: str, *args: Any) -> Any:
    return infer(f"torch.nn.{name}", *args)


# The names that neither op_db nor module_db judges, with what they give.
CALLS: list[tuple[str, tuple[Any, ...], str]] = [
    ("Tensor.size", (X, -1), "8"),
    ("Tensor.numel", (X,), "8*b*t"),
    ("Tensor.dim", (X,), "3"),
    ("Tensor.tolist", (X,), "UNKNOWN (values of the elements)"),
    ("Tensor.split", (X, 4, -1), "[torch.float32 (b, t, 4), torch.float32 (b, t, 4)]"),
    ("Tensor.type_as", (LONG, X), "torch.float32 (b,)"),
    ("Tensor.detach", (X,), "torch.float32 (b, t, 8)"),
    ("Tensor.type", (X, "torch.LongTensor"), "torch.int64 (b, t, 8)"),
    ("Tensor.copy_", (X, X), "torch.float32 (b, t, 8)"),
    ("Tensor.values", (X,), "UNKNOWN (data-dependent parts of a sparse tensor)"),
    ("Tensor.new_tensor", (X, [1.0, 2.0]), "torch.float32 (2,)"),
    ("Tensor.cpu", (X,), "torch.float32 (b, t, 8)"),
    ("Tensor.requires_grad_", (X,), "torch.float32 (b, t, 8)"),
    ("Tensor.normal_", (X, 0.0, 0.02), "torch.float32 (b, t, 8)"),
    ("Tensor.index", (X, 1), "UNKNOWN (unknown tensor method)"),
    ("Tensor.numpy", (X,), "torch.float32 (b, t, 8)"),
    ("Tensor.zero_", (X,), "torch.float32 (b, t, 8)"),
    ("Tensor.resize", (X, 1), "UNKNOWN (unknown tensor method)"),
    ("Tensor.detach_", (X,), "torch.float32 (b, t, 8)"),
    (
        "Tensor.where",
        (
            X,
            TensorSpec(
                (
                    "b",
                    "t",
                    8,
                ),
                "bool",
            ),
            0.0,
        ),
        "torch.float32 (b, t, 8)",
    ),
    ("torch.tensor", ([[1, 2], [3, 4]],), "torch.int64 (2, 2)"),
    ("torch.as_tensor", (X,), "torch.float32 (b, t, 8)"),
    ("torch.Tensor", (2, 3), "torch.float32 (2, 3)"),
    ("torch.FloatTensor", (2, 3), "torch.float32 (2, 3)"),
    ("torch.LongTensor", ([1, 2],), "torch.int64 (2,)"),
    ("torch.from_numpy", (UNKNOWN,), "(...)"),
    ("torch.randperm", (7,), "torch.int64 (7,)"),
    ("torch.hann_window", (16,), "torch.float32 (16,)"),
    ("torch.is_tensor", (X,), "True"),
    ("Tensor.as_subclass", (X, UNKNOWN), "UNKNOWN (as_subclass: a tensor of another class)"),
    ("torch.Size", ((2, 3),), "[2, 3]"),
    ("torch.get_default_dtype", (), "torch.float32"),
    ("torch.no_grad", (), "<context manager>"),
    ("torch.inference_mode", (), "<context manager>"),
    ("torch.autocast", ("cuda",), "<autocast>"),
    ("torch.amp.autocast", ("cuda",), "<autocast>"),
    ("torch.finfo", ("float32",), "<finfo>"),
    ("torch.device", ("cuda",), "<device>"),
    ("torch.is_grad_enabled", (), "<True or False>"),
    ("torch.jit.is_scripting", (), "False"),
    ("torch.jit.is_tracing", (), "False"),
    ("torch.backends.mps.is_available", (), "<True or False>"),
    ("torch.cuda.device_count", (), "count"),
    ("torch.distributed.get_rank", (), "count"),
    ("torch.distributed.get_world_size", (), "count"),
    ("torch.distributed.all_reduce", (X,), "None"),
    ("torch._assert", (True, "text"), "None"),
    ("torch.manual_seed", (0,), "<generator>"),
    ("torch.compile", (layer("ReLU"),), "ReLU(...)"),
    ("torch.utils._pytree.tree_flatten", ((X,),), "UNKNOWN (the result of a function for each value)"),
    ("torch.utils._pytree.tree_unflatten", ([X], UNKNOWN), "UNKNOWN (the result of a function for each value)"),
    ("torch.utils.checkpoint.checkpoint", (layer("Linear", 8, 3), X), "torch.float32 (b, t, 3)"),
    ("torch.nn.modules.utils._pair", (3,), "[3, 3]"),
    ("torch.nn.Module.__init__", (UNKNOWN,), "None"),
    ("torch.nn.init.zeros_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.normal_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.trunc_normal_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.ones_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.kaiming_normal_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.xavier_uniform_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.uniform_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.xavier_normal_", (X,), "torch.float32 (b, t, 8)"),
    ("torch.nn.init.constant_", (X, 0.0), "torch.float32 (b, t, 8)"),
    ("torch.nn.utils.weight_norm", (layer("Linear", 8, 3),), "Linear(8, 3)"),
    ("torch.nn.utils.remove_weight_norm", (layer("Linear", 8, 3),), "Linear(8, 3)"),
    ("torch.nn.utils.parametrizations.weight_norm", (layer("Linear", 8, 3),), "Linear(8, 3)"),
    (
        "torch.nn.utils.rnn.pad_sequence",
        (
            [
                TensorSpec(
                    (
                        "s",
                        8,
                    ),
                    "float32",
                ),
                TensorSpec(
                    (
                        "s",
                        8,
                    ),
                    "float32",
                ),
            ],
            True,
        ),
        "torch.float32 (2, s, 8)",
    ),
    ("F.gumbel_softmax", (X,), "torch.float32 (b, t, 8)"),
    ("F.softmax", (X, -1), "torch.float32 (b, t, 8)"),
    ("F.log_softmax", (X, -1), "torch.float32 (b, t, 8)"),
    (
        "F.fold",
        (
            TensorSpec(
                (
                    "b",
                    12,
                    4,
                ),
                "float32",
            ),
            (4, 4),
            (2, 2),
            1,
            0,
            2,
        ),
        "torch.float32 (b, 3, 4, 4)",
    ),
    ("einops.rearrange", (X, "b t d -> b d t"), "torch.float32 (b, 8, t)"),
    ("einops.repeat", (X, "b t d -> b t d 2"), "torch.float32 (b, t, 8, 2)"),
    ("einops.reduce", (X, "b t d -> b d", "mean"), "torch.float32 (b, 8)"),
    ("einops.einsum", (X, X, "b t d, b s d -> b t s"), "torch.float32 (b, t, t)"),
    ("einops.pack", ([X, X], "b t *"), "[torch.float32 (b, t, 16), [[8], [8]]]"),
    ("einops.unpack", (X, [(4,), (4,)], "b t *"), "[torch.float32 (b, t, 4), torch.float32 (b, t, 4)]"),
    ("torch_einops_utils.pad_at_dim", (X, (1, 2)), "torch.float32 (b, t, 11)"),
    ("torch_einops_utils.pad_right_at_dim", (X, 3), "torch.float32 (b, t, 11)"),
    ("torch_einops_utils.masked_mean", (X,), "torch.float32 ()"),
    ("torchvision.transforms.functional.get_dimensions", (IMAGE,), "[4, h, w]"),
]
LAYERS: list[tuple[str, tuple[Any, ...], TensorSpec, str]] = [
    ("nn.Dropout", (0.1,), X, "torch.float32 (b, t, 8)"),
    ("nn.Dropout2d", (0.1,), IMAGE, "torch.float32 (b, 4, h, w)"),
    ("nn.Identity", (), X, "torch.float32 (b, t, 8)"),
    ("nn.Hardsigmoid", (), X, "torch.float32 (b, t, 8)"),
    ("nn.Flatten", (), IMAGE, "torch.float32 (b, 4*h*w)"),
    ("nn.Upsample", (None, 2), IMAGE, "torch.float32 (b, 4, 2*h, 2*w)"),
    ("nn.PixelShuffle", (2,), IMAGE, "torch.float32 (b, 1, 2*h, 2*w)"),
    ("nn.PixelUnshuffle", (2,), IMAGE, "torch.float32 (b, 16, h//2, w//2)"),
    ("nn.Unfold", (2, 1, 0, 2), IMAGE, "torch.float32 (b, 16, (h//2)*(w//2))"),
    ("nn.Sequential", (layer("Linear", 8, 3), layer("ReLU")), X, "torch.float32 (b, t, 3)"),
    ("nn.DistributedDataParallel", (layer("Linear", 8, 3),), X, "torch.float32 (b, t, 3)"),
    ("einops.layers.torch.Rearrange", ("b t d -> b d t",), X, "torch.float32 (b, 8, t)"),
    ("einops.layers.torch.Reduce", ("b t d -> b d", "max"), X, "torch.float32 (b, 8)"),
    ("torchvision.ops.Conv2dNormActivation", (4, 16, 3, 2), IMAGE, "torch.float32 (b, 16, (h+1)//2, (w+1)//2)"),
    ("torchvision.transforms.RandomResizedCrop", (32,), IMAGE, "torch.float32 (b, 4, 32, 32)"),
    ("torch_einops_utils.nn.Sequential", (layer("Linear", 8, 3), None), X, "torch.float32 (b, t, 3)"),
    ("torch_einops_utils.nn.Identity", (), X, "torch.float32 (b, t, 8)"),
    ("torch.ao.quantization.QuantStub", (), X, "torch.float32 (b, t, 8)"),
    ("torch.ao.quantization.DeQuantStub", (), X, "torch.float32 (b, t, 8)"),
]
HOLDERS: list[tuple[str, tuple[Any, ...], str]] = [
    ("nn.ModuleList", ([layer("ReLU")],), "ModuleList(1 items)"),
    ("nn.ModuleDict", ({"a": layer("ReLU")},), "ModuleDict(a)"),
    ("nn.ParameterList", ([X],), "ParameterList(1 items)"),
    ("nn.Parameter", (X,), "torch.float32 (b, t, 8)"),
    ("nn.Buffer", (X,), "torch.float32 (b, t, 8)"),
    ("nn.Module", (), "Module(...)"),
    ("nn.FloatFunctional", (), "FloatFunctional(...)"),
]


def shown(answer: Any) -> str:
    if isinstance(answer, (tuple, list)):
        return f"[{', '.join(map(shown, answer))}]"
    return repr(answer) if isinstance(answer, (Unknown, Other)) else str(answer)


@pytest.mark.parametrize(("name", "args", "answer"), [*CALLS, *HOLDERS])
def test_a_call_that_models_make(name: str, args: tuple[Any, ...], answer: str) -> None:
    assert shown(infer(name, *args)) == answer


@pytest.mark.parametrize(("name", "args", "input", "answer"), LAYERS)
def test_a_layer_that_models_use(name: str, args: tuple[Any, ...], input: TensorSpec, answer: str) -> None:
    built = infer(name, *args)
    assert isinstance(built, ModuleSpec)
    assert shown(built(input)) == answer


def test_each_of_the_first_400_names_is_judged_here_or_by_torchs_databases() -> None:
    assert len(set(NAMES)) == 400
    judged = {rule(find(op.name)) for op in operators()} | {rule(find(f"torch.{info.name}")) for info in module_db}
    here = {name for name, *_ in (*CALLS, *LAYERS, *HOLDERS)}
    assert [name for name in NAMES if rule(find(name)) not in judged and name not in here] == []


def rule(entry: Entry | None) -> Any:
    return entry and getattr(entry.function, "__wrapped__", entry.function)
