"""Models of libraries: Python's own (`python`), `numpy`, torch's modules (`nn`), `distributions`, data loaders.

Each says what a function, a class or a method of a library gives for abstract values. Not here: shapes and dtypes of
torch's operators (`shapecheck.ops`, asked by `operators`), functions of the program (`calls`).
"""
