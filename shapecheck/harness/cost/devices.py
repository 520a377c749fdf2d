"""Peak throughput and bandwidth of devices, from their makers' data sheets.

Figures are for dense operands (data sheets often print twice as much, for sparse ones), with sums in float32, at the
boost clock. Each entry names its sheet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import torch

T = 1e12


@dataclass(frozen=True)
class Device:
    """peak: single floating-point operations per second by dtype, including `tf32`; bandwidth: bytes per second."""

    pattern: str
    """Matches its name as reported by torch."""
    peak: Mapping[str, float]
    bandwidth: float

    def operations(self, dtype: torch.dtype) -> float | None:
        """Operations per second in a dtype with torch's settings: float32 may be computed as TF32. None if unknown."""
        name = str(dtype).removeprefix("torch.")
        if name == "float32" and torch.get_float32_matmul_precision() != "highest":
            name = "tf32" if "tf32" in self.peak else name
        return self.peak.get("float8" if name.startswith("float8") else name)


def _sixteen(value: float, **others: float) -> dict[str, float]:
    """The same for both 16-bit dtypes, as on all tensor cores since Ampere."""
    return {"bfloat16": value * T, "float16": value * T, **{name: one * T for name, one in others.items()}}


DEVICES = (
    # NVIDIA Blackwell architecture, DGX B200 data sheet: 1/8 of the system, half of the sparse figures
    Device(r"\bB200\b", _sixteen(2250, float8=4500, tf32=1125, float32=75, float64=37), 7.7e12),
    # NVIDIA H200 data sheet, SXM
    Device(r"\bH200\b", _sixteen(989.4, float8=1978.9, tf32=494.7, float32=66.9, float64=66.9), 4.8e12),
    # NVIDIA H100 data sheet: NVL, PCIe, SXM
    Device(r"\bH100 NVL\b", _sixteen(835.5, float8=1670.5, tf32=417.5, float32=60, float64=60), 3.9e12),
    Device(r"\bH100 PCIe\b", _sixteen(756.5, float8=1513, tf32=378, float32=51.2, float64=51.2), 2.0e12),
    Device(r"\bH100\b", _sixteen(989.4, float8=1978.9, tf32=494.7, float32=66.9, float64=66.9), 3.35e12),
    # NVIDIA A100 data sheet: 80 GB PCIe, 80 GB SXM, 40 GB
    Device(r"\bA100.*PCIE.*80GB|\bA100 80GB PCIe", _sixteen(312, tf32=156, float32=19.5, float64=19.5), 1.935e12),
    Device(r"\bA100.*80GB", _sixteen(312, tf32=156, float32=19.5, float64=19.5), 2.039e12),
    Device(r"\bA100\b", _sixteen(312, tf32=156, float32=19.5, float64=19.5), 1.555e12),
    # NVIDIA L40S data sheet
    Device(r"\bL40S\b", _sixteen(362.05, float8=733, tf32=183, float32=91.6), 0.864e12),
    # NVIDIA L4 data sheet: half of the sparse figures
    Device(r"\bL4\b", _sixteen(121, float8=242.5, tf32=60, float32=30.3), 0.3e12),
    # NVIDIA A10G data sheet
    Device(r"\bA10G\b", _sixteen(70, tf32=35, float32=35), 0.6e12),
    # NVIDIA V100 data sheet: PCIe, SXM2; no bfloat16
    Device(r"\bV100.*PCIE", {"float16": 112 * T, "float32": 14 * T, "float64": 7 * T}, 0.9e12),
    Device(r"\bV100\b", {"float16": 125 * T, "float32": 15.7 * T, "float64": 7.8 * T}, 0.9e12),
    # NVIDIA T4 data sheet; no bfloat16
    Device(r"\bT4\b", {"float16": 65 * T, "float32": 8.1 * T}, 0.32e12),
    # NVIDIA Ada GPU architecture white paper, appendix A
    Device(r"\bRTX 4090\b", _sixteen(165.2, float8=330.3, tf32=82.6, float32=82.6), 1.008e12),
    # NVIDIA Ampere GA102 GPU architecture white paper, appendix A
    Device(r"\bRTX 3090\b(?! Ti)", _sixteen(71, tf32=35.6, float32=35.6), 0.936e12),
    # AMD Instinct MI300X data sheet
    Device(r"\bMI300X\b", _sixteen(1307.4, float8=2614.9, tf32=653.7, float32=163.4, float64=163.4), 5.3e12),
)
"""The first entry whose pattern is found in the name applies."""


def device_named(name: str) -> Device | None:
    """The device with that name in torch, such as `NVIDIA H100 80GB HBM3`; None if it is not in the table."""
    return next((one for one in DEVICES if re.search(one.pattern, name, re.IGNORECASE)), None)


def known_device(device: torch.device) -> Device | None:
    """The entry of a device of this machine; None for a CPU and for one that does not exist or is unknown."""
    if device.type != "cuda" or not torch.cuda.is_available():
        return None
    return device_named(torch.cuda.get_device_name(device))
