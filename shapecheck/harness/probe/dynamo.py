"""Keeping torch.compile out of what watches a run: inside the method of a mode, it takes that for the user's code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def keep_from_dynamo(function: Callable[..., Any]) -> bool:
    """Has Dynamo run a function, and all that it calls, as it is; False where this torch offers no such mark."""
    frames: Any = torch._C._dynamo.eval_frame
    try:
        skip = frames._FrameAction.SKIP
        frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(skip, skip))
    except (AttributeError, TypeError):
        return False
    return True
