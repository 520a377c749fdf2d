"""Which models of a file to run, and how to build each.

`declared` is `shapecheck.case`, `find` looks through a module, `build` makes an instance, `configured` reads
`[tool.shapecheck.cases]`, `targets` is what the command line can name.
"""
