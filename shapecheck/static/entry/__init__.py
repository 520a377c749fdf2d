"""The entry points: what is analyzed in a file, and in which process.

`checker` runs a module's body, then its functions and classes; `isolation` analyzes a function with symbolic arguments,
`uncalled_methods` and `receivers` do so for methods, whose objects `later_state` havocs; `parallel` distributes files
over processes, `server` answers requests of another process. Not here: how anything is evaluated.
"""
