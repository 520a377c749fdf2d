"""Sizes that are no multiple of 16 bytes: `misaligned` reports them; kernels of tensor cores are slower or absent."""

from __future__ import annotations

from functools import partial

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from benchmarks.gpu.figures import Figures, is_gpu
from shapecheck.harness.cost.alignment import misaligned
from shapecheck.harness.cost.timing import seconds_of
from shapecheck.harness.probe import Probe

_GPU_SIZES, _CPU_SIZES = (4096, 4095), (64, 63)
_TENSOR_CORES = ("tensorop", "s16816", "s1688", "wgmma", "mma", "sm90", "sm100", "xmma")
"""Parts of the names of kernels of cuBLAS and CUTLASS that use tensor cores."""


def alignment(device: torch.device) -> Figures:
    found = Figures()
    for size in _GPU_SIZES if is_gpu(device) else _CPU_SIZES:
        model = nn.Linear(size, size, bias=False, device=device, dtype=torch.bfloat16)
        x = torch.randn(size, size, device=device, dtype=torch.bfloat16)
        with torch.no_grad(), Probe(model) as probe:
            model(x)
        reported = misaligned(model, probe.modules(), probe.dtype)
        found.expect(bool(reported) == bool(size % 8), f"size {size}: reported as {reported}")
        kernels = _kernels(model, x) if is_gpu(device) else []
        found.measured[str(size)] = {
            "seconds": seconds_of(partial(model, x), device),
            "reported": reported,
            "kernels": kernels,
            "tensor cores": any(part in kernel.lower() for kernel in kernels for part in _TENSOR_CORES),
        }
    if not is_gpu(device):
        found.skipped.append("kernels: there is no GPU")
        return found
    aligned, odd = (found.measured[str(size)] for size in _GPU_SIZES)
    found.expect(aligned["tensor cores"], f"no kernel of tensor cores is known among {aligned['kernels']}")
    found.measured["time of the misaligned size to the aligned"] = odd["seconds"] / aligned["seconds"]
    return found


def _kernels(model: nn.Module, x: torch.Tensor) -> list[str]:
    """The kernels of one forward, by name."""
    with torch.no_grad(), profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as watch:
        model(x)
        torch.cuda.synchronize()
    return sorted({one.name for one in watch.events() if one.device_type.name == "CUDA"})
