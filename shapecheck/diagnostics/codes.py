"""The table of diagnostic codes. Each has a page `docs/codes/<name>.md`; the page of a rule declares its code."""

from __future__ import annotations

from shapecheck.diagnostics.declared import Code, declared
from shapecheck.diagnostics.model import Severity

_DIRECT_FORWARD = Code("direct-forward", Severity.NOTE, "`forward` is called directly, so hooks do not run")
_FIXED = (
    Code("untyped-call", Severity.WARNING, "calling the module gives `Any`: its class has no typed `__call__`"),
    _DIRECT_FORWARD,
)
_RULES = tuple(declared())
_CHECKED = (
    Code(
        "shape-mismatch", Severity.ERROR, "the shapes do not fit the operator, the layer, each other or an annotation"
    ),
    Code("dtype-mismatch", Severity.ERROR, "the operator or layer does not take a tensor of this dtype"),
    Code("non-contiguous", Severity.ERROR, "`view` of a tensor whose strides do not allow it"),
    Code("wrong-annotation", Severity.ERROR, "jaxtyping refuses this axis string, or no tensor matches it"),
    Code("wrong-call", Severity.ERROR, "arguments that the function, operator or layer does not take"),
    Code("false-assert", Severity.ERROR, "the assert about sizes or ranks holds in no run"),
    *_RULES,
    _DIRECT_FORWARD,
    Code("unused-ignore", Severity.WARNING, "a comment silences what is not reported there, or names no code"),
)
_GUARDED = (
    Code(
        "precision-leak",
        Severity.WARNING,
        "a float32 tensor meets one of bfloat16 or float16, so the result is float32",
        default=False,
    ),
    Code("hidden-copy", Severity.NOTE, "`reshape`, `contiguous` or `to` copies a tensor", default=False),
    Code(
        "lost-memory-format",
        Severity.WARNING,
        "channels_last images go into an operator, and contiguous ones come out",
        default=False,
    ),
)
_RUN = (
    Code("failed-run", Severity.ERROR, "the model raises an exception with inputs that fit its annotations"),
    Code("ended-run", Severity.ERROR, "the case takes too long or too much memory, or its process dies"),
    Code("hard-coded-size", Severity.ERROR, "the annotation takes any size of an axis, and the code only one"),
    Code("layout-dependence", Severity.WARNING, "inputs that lie otherwise in memory give other values"),
    Code("mode-dependence", Severity.WARNING, "results have another shape or dtype in train mode than in eval mode"),
    Code("not-deterministic", Severity.WARNING, "the same inputs and the same seed give different results"),
    Code("batch-dependence", Severity.WARNING, "a row of a batch gets something else than the same row alone"),
    Code("missing-gradient", Severity.WARNING, "a parameter that is to be trained gets no gradient"),
    Code("compile-mismatch", Severity.WARNING, "torch.compile gives something else than eager mode, or fails"),
    Code("fake-mismatch", Severity.WARNING, "FakeTensor gives another shape or dtype than data"),
    Code("changed-input", Severity.WARNING, "`forward` changes an argument in place"),
    Code("checkpoint-mismatch", Severity.ERROR, "weights of a checkpoint do not fit the model"),
    Code("wrap-mismatch", Severity.WARNING, "wrapped as DDP or FSDP the model gives something else, or fails"),
    Code("host-sync", Severity.NOTE, "the program waits for the device here"),
)
_REVEALED = (Code("revealed-shape", Severity.NOTE, "what is known of the value that is given to `reveal_shape`"),)
_FAILURES = (
    Code("syntax-error", Severity.ERROR, "the file does not parse"),
    Code("unreadable-file", Severity.ERROR, "the file or path cannot be read, decoded or written"),
    Code("failed-import", Severity.ERROR, "the file cannot be imported, so its models cannot be run"),
    Code("internal-error", Severity.ERROR, "a fault of shapecheck's own; the file is left as it is"),
)

CODES: dict[str, Code] = {code.name: code for code in (*_FIXED, *_CHECKED, *_GUARDED, *_RUN, *_REVEALED, *_FAILURES)}
FIXES = tuple(code.name for code in _FIXED)
"""What `shapecheck fix` mends."""
CHECKS = tuple(code.name for code in _CHECKED)
"""What `shapecheck check` looks for."""
DEFAULT_CHECKS = tuple(code.name for code in _CHECKED if code.default)
"""What it looks for where nobody chooses."""
GUARDS = (
    *(code.name for code in _RULES if code.guarded),
    *(code.name for code in _GUARDED),
)
"""What guards look for while a program runs."""
REFUSALS = ("shape-mismatch", "dtype-mismatch", "non-contiguous")
"""What a guard calls a call that torch refused."""
RUN = tuple(code.name for code in _RUN)
"""What only `shapecheck run` finds, beside much of what guards and `check` look for."""
REVEALED = tuple(code.name for code in _REVEALED)
"""What it tells because the source asks for it: whatever is selected, unless it is ignored."""
FAILURES = frozenset(code.name for code in _FAILURES)
"""Why something could not be looked at: these can be neither deselected nor silenced by a comment."""
