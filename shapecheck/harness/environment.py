"""The environment of a run, so that it can be repeated: versions, device, topology, flags."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

import shapecheck

_PACKAGES = ("torch", "jaxtyping", "beartype", "einops", "numpy", "triton", "safetensors")
_VARIABLES = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING", "CUBLAS_WORKSPACE_CONFIG")
_PREFIXES = ("PYTORCH_", "TORCH_", "TORCHINDUCTOR_", "TORCHDYNAMO_", "NCCL_", "OMP_", "MKL_", "NVIDIA_TF32")
_LONGEST = 200


def environment(device: str, command: Sequence[str]) -> dict[str, Any]:
    """The environment as plain data. command: the arguments of the command line. Only CUDA devices are queried."""
    found: dict[str, Any] = {
        "command": ["shapecheck", *command],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "versions": _versions(),
        "cpu": _cpu(),
        "flags": _flags(),
        "variables": _variables(),
    }
    if device.startswith("cuda"):
        found["cuda"] = _cuda()
        found["gpu"] = ", ".join(one["name"] for one in found["cuda"]["devices"])
    return found


def _versions() -> dict[str, str]:
    found = {"shapecheck": shapecheck.__version__}
    for name in _PACKAGES:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found | {"torch": str(torch.__version__)}


def _cpu() -> dict[str, Any]:
    return {
        "model": _cpu_model(),
        "cores": os.cpu_count(),
        "usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "capability": torch.backends.cpu.get_cpu_capability(),
    }


def _cpu_model() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _flags() -> dict[str, Any]:
    return {
        "default dtype": str(torch.get_default_dtype()).removeprefix("torch."),
        "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        "float32 matmul precision": torch.get_float32_matmul_precision(),
        "TF32 matmul": torch.backends.cuda.matmul.allow_tf32,
        "TF32 cudnn": torch.backends.cudnn.allow_tf32,
        "cudnn benchmark": torch.backends.cudnn.benchmark,
        "cudnn deterministic": torch.backends.cudnn.deterministic,
    }


def _variables() -> dict[str, str]:
    """The variables that change what torch does, except paths."""
    named = {name: os.environ[name] for name in sorted(os.environ) if name in _VARIABLES or name.startswith(_PREFIXES)}
    return {name: value for name, value in named.items() if os.sep not in value and len(value) <= _LONGEST}


def _cuda() -> dict[str, Any]:
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return {
        "runtime": torch.version.cuda,
        "hip": torch.version.hip,
        "driver": _driver(),
        "cudnn": _cudnn() if count else None,
        "devices": [_device(index) for index in range(count)],
        "peer access": _peers(count),
        "topology": _topology() if count > 1 else "",
    }


def _cudnn() -> Any:
    return torch.backends.cudnn.version()  # type: ignore[no-untyped-call]


def _device(index: int) -> dict[str, Any]:
    about = torch.cuda.get_device_properties(index)
    return {
        "name": about.name,
        "memory_bytes": about.total_memory,
        "capability": f"{about.major}.{about.minor}",
        "processors": about.multi_processor_count,
    }


def _peers(count: int) -> list[list[bool]]:
    """Which device can access the memory of which."""
    return [
        [one == other or torch.cuda.can_device_access_peer(one, other) for other in range(count)]
        for one in range(count)
    ]


def _driver() -> str:
    return _nvidia_smi("--query-gpu=driver_version", "--format=csv,noheader").partition("\n")[0].strip()


def _topology() -> str:
    """How the devices are connected, NVLink or PCIe, as reported by the driver's tool."""
    return _nvidia_smi("topo", "-m")


def _nvidia_smi(*arguments: str) -> str:
    tool = shutil.which("nvidia-smi")
    if tool is None or sys.platform == "darwin":
        return ""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=20, check=True)
        return done.stdout
    return ""
