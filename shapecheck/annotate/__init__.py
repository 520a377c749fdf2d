"""`shapecheck annotate`: writes the shape annotations that the code already implies.

`collecting` runs the static engine on all files and joins what the calls of each function show. `combining` makes one
signature of what a body requires and what its callers pass, `naming` chooses the names of sizes, and `writing` turns
values into text. `planning` decides what to write in one file, `editing` changes its text. `verifying` checks the
changed files before they are written, and drops what is contradicted. `run` does all of this for many files.
Not here: values of tensors, and runs of the program.
"""
