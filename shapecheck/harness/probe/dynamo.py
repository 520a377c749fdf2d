"""Disables torch.compile under a mode: Dynamo would trace the mode, and compile nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from shapecheck.harness.torch_versions import let_higher_order_operators_through

_FLEX = os.path.join("torch", "nn", "attention", "flex_attention.py")  # noqa: PTH118


class Mode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A mode that Dynamo does not trace, and that also sees higher-order operators."""

    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        let_higher_order_operators_through(type(self))

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Whether torch may skip its wrapper of the mode's method, which is a third of the cost of a mode."""
        method = vars(cls).get("__torch_dispatch__")
        return method is not None and not _keep_from_dynamo(method)

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Compiled functions run uncompiled under the mode, except flex attention, which requires compilation."""
        return _runs_flex_attention()


def _keep_from_dynamo(function: Callable[..., Any]) -> bool:
    """Excludes a function and all that it calls from Dynamo; returns False if torch has no such mark."""
    frames: Any = torch._C._dynamo.eval_frame
    try:
        skip = frames._FrameAction.SKIP
        frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(skip, skip))
    except (AttributeError, TypeError):
        return False
    return True


def _runs_flex_attention() -> bool:
    """Whether torch's flex attention is among the callers."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith(_FLEX):
            return True
        frame = frame.f_back
    return False
