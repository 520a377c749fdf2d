"""Which models of a file to run, and how to build each.

`declared` is `shapecheck.case`, `find` searches a module, `build` creates an instance, `configured` reads
`[tool.shapecheck.cases]`, `targets` resolves the arguments of the command line.
"""
