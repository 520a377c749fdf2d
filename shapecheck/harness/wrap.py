"""Wraps a model for distributed training, in a process group of one process or several, on any machine."""

from __future__ import annotations

import copy
import gc
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if TYPE_CHECKING:
    from torch.distributed.device_mesh import DeviceMesh

    from shapecheck.harness.cases.declared import Parallelize

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
    _require_parameters(model)
    try:
        twin = copy.deepcopy(model)
    except Exception as error:  # a model may contain anything
        raise WrapError(f"model cannot be copied: {type(error).__name__}: {error}") from None
    return wrapped_in_place(twin, kind, device)


def wrapped_in_place(model: nn.Module, kind: str, device: torch.device) -> nn.Module:
    """The model itself, wrapped as `kind` for all processes of the group. Raises WrapError as `wrapped` does."""
    _require_parameters(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _ddp(model, device) if kind == "ddp" else _fsdp(model, device)


def parallelized(model: nn.Module, plan: Parallelize, device: torch.device) -> nn.Module:
    """The model, divided among all processes of the group by a function or a plan of `parallelize_module`."""
    mesh = _mesh(device)
    if isinstance(plan, Mapping):
        from torch.distributed.tensor.parallel import parallelize_module  # noqa: PLC0415 - only imported when needed

        return parallelize_module(model, mesh, dict(plan))
    result = plan(model, mesh)
    return result if isinstance(result, nn.Module) else model


def plain(model: nn.Module) -> nn.Module:
    """The module that the names of the unwrapped model are those of."""
    return model.module if isinstance(model, DistributedDataParallel) else model


def plain_names(model: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """The parameters of a model, wrapped or not, under their names in the unwrapped model."""
    return list(plain(model).named_parameters())


def _require_parameters(model: nn.Module) -> None:
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise WrapError("no parameters to train")


def _mesh(device: torch.device) -> DeviceMesh:
    from torch.distributed.device_mesh import init_device_mesh  # noqa: PLC0415 - only imported when needed

    return init_device_mesh(device.type, (dist.get_world_size(),))


def _ddp(model: nn.Module, device: torch.device) -> nn.Module:
    return DistributedDataParallel(model, device_ids=[device] if device.type == "cuda" else None)


def _fsdp(model: nn.Module, device: torch.device) -> nn.Module:
    try:
        from torch.distributed.fsdp import fully_shard  # noqa: PLC0415 - only imported when needed
    except ImportError:
        raise WrapError(f"expected torch 2.6 or newer for fully_shard, got {torch.__version__}") from None
    fully_shard(model, mesh=_mesh(device))
    return model
