"""The codemod: plans with `ast`, rewrites with LibCST the files that change.

`typed_call` and `direct_forward` are the fixers, one a file, each documented at its top; `engine` runs them over one
source, `run` over many files.
"""
