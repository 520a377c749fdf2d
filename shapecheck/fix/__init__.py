"""The codemod: plans changes with `ast`, and rewrites files that change with LibCST.

`typed_call` and `direct_forward` are the fixers, each in a file that documents it; `engine` runs them over one
source, `run` over many files.
"""
