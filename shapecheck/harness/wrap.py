"""Wraps a model for distributed training, in a process group of one process, on any machine."""

from __future__ import annotations

import copy
import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

NAMES = {"ddp": "DistributedDataParallel", "fsdp": "fully_shard"}
"""The values of `--wrap`, and torch's names for them."""


class WrapError(Exception):
    """A model cannot be wrapped here; the message is one line."""


@contextmanager
def group(device: torch.device) -> Iterator[None]:
    """A process group of this process alone: gloo on the CPU, nccl on GPUs. The setup of `torchrun` is not changed.

    Raises WrapError if torch lacks the backend.
    """
    if not dist.is_available():
        raise WrapError("torch is built without torch.distributed")
    backend = "nccl" if device.type == "cuda" else "gloo"
    if not dist.is_backend_available(backend):
        raise WrapError(f"torch is built without {backend}")
    if dist.is_initialized():
        raise WrapError("program has its own process group")
    bound = device if device.type == "cuda" and device.index is not None else None
    store = dist.HashStore()  # type: ignore[attr-defined]
    dist.init_process_group(backend, store=store, rank=0, world_size=1, device_id=bound)
    try:
        yield
    finally:
        # A model in DDP is part of a reference cycle. If the last reference to the group were in its reducer, the
        # destructor would join gloo's threads while it holds the GIL, which can deadlock.
        gc.collect()
        dist.destroy_process_group()


def wrapped(model: nn.Module, kind: str, device: torch.device) -> nn.Module:
    """A copy of the model, wrapped as `kind`: `ddp` or `fsdp`. To be called within a `group`.

    Raises WrapError if there is nothing to wrap, or if the model cannot be copied.
    """
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise WrapError("no parameters to train")
    try:
        twin = copy.deepcopy(model)
    except Exception as error:  # a model may contain anything
        raise WrapError(f"model cannot be copied: {type(error).__name__}: {error}") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _ddp(twin, device) if kind == "ddp" else _fsdp(twin, device)


def plain_names(model: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """The parameters of a model, wrapped or not, under their names in the unwrapped model."""
    inner = model.module if isinstance(model, DistributedDataParallel) else model
    return list(inner.named_parameters())


def _ddp(model: nn.Module, device: torch.device) -> nn.Module:
    return DistributedDataParallel(model, device_ids=[device] if device.type == "cuda" else None)


def _fsdp(model: nn.Module, device: torch.device) -> nn.Module:
    from torch.distributed.device_mesh import init_device_mesh  # noqa: PLC0415 - only imported when needed

    try:
        from torch.distributed.fsdp import fully_shard  # noqa: PLC0415
    except ImportError:
        raise WrapError(f"expected torch 2.6 or newer for fully_shard, got {torch.__version__}") from None
    fully_shard(model, mesh=init_device_mesh(device.type, (1,)))
    return model
