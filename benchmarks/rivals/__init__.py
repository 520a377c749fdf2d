"""shapecheck compared with related tools: what each finds, what it reports in correct programs, its time.

`programs` are pairs of a program with one mistake and the same without it; a tool is one file in `tools/`, a question
one program in `probes/`. `score` compares what was said of the two. Every rival has an environment of its own.
"""
