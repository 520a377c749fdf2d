"""Finding, reading and writing a project's source files, and resolving the names in them, with `ast` alone.

`files` walks paths, `source` and `write` hold and put back one file, `scope` and `resolve` say what a name means and
whether a class is an nn.Module. Shared by the codemod and the static checker.
"""
