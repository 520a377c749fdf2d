"""Finding, reading and writing a project's source files, and resolving the names in them, with `ast` alone.

`files` walks paths, `source` and `write` read and write one file, `scope` and `resolve` determine what a name means and
whether a class is an nn.Module. Shared by the codemod and the static checker.
"""
