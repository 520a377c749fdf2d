"""The entry points: what is run in a file, and in which process.

`checker` runs a module's body, then its functions and classes; `isolation` makes up the arguments that no call gives,
`uncalled_methods` and `receivers` do so for methods; `parallel` spreads files over processes, `server` answers another
process. Not here: how anything is evaluated.
"""
