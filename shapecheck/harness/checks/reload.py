"""Saving the weights and loading them into a new model gives the same results."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.formatting import first_line, with_type_name
from shapecheck.harness.layer_definition import find_definition
from shapecheck.harness.lost_state import lost_state
from shapecheck.harness.subject import Subject, build_subject
from shapecheck.harness.tensors import flat

_LARGEST = 2**30
"""Bytes of a model above which it is not held in memory three times."""


@check(62, needs_data=True)
def reload(context: CheckContext) -> Iterator[Diagnostic]:
    """`torch.save` and a strict `load_state_dict`, for a model that is built with another seed."""
    if context.is_random:
        raise Skip("results are random in eval mode")
    tensors = (*context.model.parameters(), *context.model.buffers())
    if sum(one.nbytes for one in tensors) > _LARGEST:
        raise Skip("model is larger than 1 GiB")
    twin = _built_again(context)
    context.subject.restore_buffers()
    try:
        twin.model.load_state_dict(_through_file(context.model.state_dict()))
    except Exception as error:
        yield _cannot_load(context, error)
        return
    twin.save_buffers()
    try:
        results = flat(twin.call(context.subject.arguments(context.plan)))
    except Exception as error:
        yield context.finding("lost-state", f"forward raises after saving and reloading: {with_type_name(error)}")
        return
    words = context.differ(context.outputs(), results)
    if words:
        yield _differs(context, twin.model, words)


def _built_again(context: CheckContext) -> Subject:
    subject = context.subject
    case = replace(subject.case, declared=replace(subject.declared, checkpoint=None))
    try:
        made = build_subject(case, subject.device, subject.seed + 1, fake=False)
    except Exception as error:
        raise Skip(f"model cannot be built twice: {first_line(error)}") from None
    made.known = subject.known
    return made


def _through_file(state: dict[str, Any]) -> Any:
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


def _cannot_load(context: CheckContext, error: Exception) -> Diagnostic:
    text = " ".join(str(error).partition(":\n")[2].split()) or first_line(error)
    named = re.search(r'(?:\(s\) in state_dict: "|size mismatch for |parameter named ")([\w.]+)', text)
    name = named[1] if named else ""
    message = f"a new model does not load the state_dict: {text[:200].rstrip(' .')}"
    return _at(context, context.model, name, message)


def _differs(context: CheckContext, twin: nn.Module, words: str) -> Diagnostic:
    lost = lost_state(context.model, twin)
    if lost is None:
        message = f"the state_dict does not contain all state; after reloading, {words}"
        return context.finding("lost-state", message)
    return _at(context, context.model, lost.name, f"{lost.name} is not in the state_dict, {lost.advice}")


def _at(context: CheckContext, model: nn.Module, name: str, message: str) -> Diagnostic:
    try:
        place, owner = (find_definition(model, name) if name else None) or (None, "")
    except AttributeError:  # the name is not that of a submodule
        place, owner = None, ""
    return context.finding("lost-state", message, place, module=owner)
