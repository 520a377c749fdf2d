"""The table of diagnostic codes. Each has a page `docs/codes/<name>.md`; the page of a rule declares the code."""

from __future__ import annotations

from shapecheck.diagnostics.declared import Code, declared
from shapecheck.diagnostics.model import Severity

_DIRECT_FORWARD = Code("direct-forward", Severity.NOTE, "a direct call of `forward` skips hooks")
_FIXED = (
    Code(
        "untyped-call", Severity.WARNING, "calling the module returns `Any`, because its class has no typed `__call__`"
    ),
    _DIRECT_FORWARD,
)
_RULES = tuple(declared())
_CHECKED = (
    Code("shape-mismatch", Severity.ERROR, "incompatible shapes in an operator, layer, assignment or annotation"),
    Code("dtype-mismatch", Severity.ERROR, "an operator or layer does not accept a tensor of this dtype"),
    Code("non-contiguous", Severity.ERROR, "`view` of a tensor whose strides are incompatible with the new shape"),
    Code("wrong-annotation", Severity.ERROR, "jaxtyping rejects the axis string, or no tensor can match it"),
    Code("wrong-call", Severity.ERROR, "a call with arguments that the function, operator or layer does not accept"),
    Code("false-assert", Severity.ERROR, "an assert about sizes or ranks that always fails"),
    Code("off-default", Severity.WARNING, "code that fails with another argument than the default of a parameter"),
    Code(
        "stale-docstring",
        Severity.NOTE,
        "a docstring or comment states a shape that the code contradicts",
        default=False,
    ),
    *_RULES,
    _DIRECT_FORWARD,
    Code("unused-ignore", Severity.WARNING, "an ignore comment that suppresses no finding"),
)
_GUARDED = (
    Code(
        "precision-leak",
        Severity.WARNING,
        "float32 is combined with bfloat16 or float16, so the result is float32",
        default=False,
    ),
    Code("hidden-copy", Severity.NOTE, "`reshape`, `contiguous` or `to` copies a tensor", default=False),
    Code(
        "lost-memory-format",
        Severity.WARNING,
        "an operator returns contiguous images for channels_last input",
        default=False,
    ),
)
_RUN = (
    Code("failed-run", Severity.ERROR, "the model raises an exception for inputs that match its annotations"),
    Code("ended-run", Severity.ERROR, "the case exceeds its time or memory limit, or its process dies"),
    Code(
        "hard-coded-size",
        Severity.ERROR,
        "the code accepts only one size of an axis that the annotation leaves variable",
    ),
    Code("layout-dependence", Severity.WARNING, "results depend on the memory layout of the inputs"),
    Code("mode-dependence", Severity.WARNING, "results have different shapes or dtypes in train and eval mode"),
    Code("not-deterministic", Severity.WARNING, "results differ for the same inputs and seed"),
    Code("batch-dependence", Severity.WARNING, "a row of a batch has a different result from the same row on its own"),
    Code("missing-gradient", Severity.WARNING, "a trainable parameter receives no gradient"),
    Code("compile-mismatch", Severity.WARNING, "torch.compile fails or returns a different result from eager mode"),
    Code("fake-mismatch", Severity.WARNING, "a FakeTensor run returns different shapes or dtypes from a run with data"),
    Code("changed-input", Severity.WARNING, "`forward` changes an argument in place"),
    Code("checkpoint-mismatch", Severity.ERROR, "the weights of a checkpoint do not match the model"),
    Code(
        "wrap-mismatch", Severity.WARNING, "the model fails or returns a different result when wrapped in DDP or FSDP"
    ),
    Code("wrong-gradient", Severity.WARNING, "the `backward` of a function is not the derivative of its `forward`"),
    Code("shard-mismatch", Severity.ERROR, "what several processes have of a tensor does not match"),
    Code("collective-mismatch", Severity.ERROR, "a process waits in a collective that another process does not call"),
    Code("non-finite", Severity.WARNING, "a result or gradient is NaN or infinite for finite inputs"),
    Code("broken-tie", Severity.WARNING, "two parameters share memory, but are not one parameter"),
    Code("lost-state", Severity.WARNING, "a model that loads the state_dict of another returns a different result"),
    Code("ignored-mask", Severity.WARNING, "values at positions that a mask excludes change the other results"),
    Code("active-dropout", Severity.WARNING, "dropout is active in eval mode"),
    Code("cache-mismatch", Severity.WARNING, "a call with a cache of keys and values returns a different result"),
    Code("attention-mismatch", Severity.WARNING, "implementations of attention return different results"),
    Code("recompute-mismatch", Severity.WARNING, "gradient checkpointing changes results or gradients"),
    Code("return-dict-mismatch", Severity.WARNING, "`return_dict` changes the tensors that the model returns"),
    Code(
        "uninitialized-parameter",
        Severity.WARNING,
        "a model that is constructed on `meta` has a tensor that its methods do not initialize",
    ),
    Code("recompilation", Severity.WARNING, "torch.compile with `dynamic=True` compiles again for another size"),
    Code(
        "pinned-size",
        Severity.NOTE,
        "a parameter or buffer accepts only one size of an axis that the annotation leaves variable",
    ),
    Code("host-sync", Severity.NOTE, "the program waits for the device"),
)
_REVEALED = (Code("revealed-shape", Severity.NOTE, "the inferred shape of the argument of `reveal_shape`"),)
_FAILURES = (
    Code("syntax-error", Severity.ERROR, "the file cannot be parsed"),
    Code("unreadable-file", Severity.ERROR, "the file or path cannot be read, decoded or written"),
    Code("failed-import", Severity.ERROR, "the file cannot be imported, so its models cannot run"),
    Code("internal-error", Severity.ERROR, "shapecheck itself failed; the file is not changed"),
)

CODES: dict[str, Code] = {code.name: code for code in (*_FIXED, *_CHECKED, *_GUARDED, *_RUN, *_REVEALED, *_FAILURES)}
FIXES = tuple(code.name for code in _FIXED)
"""The codes of `shapecheck fix`."""
CHECKS = tuple(code.name for code in _CHECKED)
"""The codes of `shapecheck check`."""
DEFAULT_CHECKS = tuple(code.name for code in _CHECKED if code.default)
"""The codes that `shapecheck check` enables by default."""
GUARDS = (
    *(code.name for code in _RULES if code.guarded),
    *(code.name for code in _GUARDED),
)
"""The codes of guards."""
REFUSALS = ("shape-mismatch", "dtype-mismatch", "non-contiguous")
"""The codes that a guard uses for a call that torch rejected."""
RUN = tuple(code.name for code in _RUN)
"""The codes that only `shapecheck run` reports, in addition to many of those of guards and `check`."""
REVEALED = tuple(code.name for code in _REVEALED)
"""The codes that the source requests: always enabled unless ignored."""
FAILURES = frozenset(code.name for code in _FAILURES)
"""Codes for paths that cannot be checked; they can be neither deselected nor suppressed by a comment."""
