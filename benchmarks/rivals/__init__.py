"""shapecheck beside the tools that do a part of the same: what each finds, what it says of correct programs, its time.

`programs` are pairs of a program with one mistake and the same without it; a tool is one file in `tools/`, a question
one program in `probes/`. `score` compares what was said of the two. Every rival has an environment of its own.
"""
