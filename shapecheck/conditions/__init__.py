"""The conditions of rules that have two observers: `shapecheck check` on source, and guards on a running program.

One file per rule, named after its code. It declares `CODE`, `find`, which decides whether to report a call, exemptions
included, and the finding: a dataclass of facts whose `message` is shown to users. An observer (a file of `static/rules`
or `runtime/guards/rules`) selects the operators, translates a call into shapes and dtypes, calls `find`, and reports
the message; it decides nothing else. `find` returns None if a fact that it needs is unknown.

What belongs here works on specs: neither torch, nor the interpreter, nor the runtime is imported.
"""
