"""Which models a file has to run, and how each is built.

`declared` is `shapecheck.case`, `find` looks through a module, `build` makes an instance, `configured` reads
`[tool.shapecheck.cases]`, `targets` is what the command line can name.
"""
