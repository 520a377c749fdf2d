"""Operators and layers of torch on abstract values.

`torch_calls` applies the rules of `shapecheck.ops` and reports the calls that they refuse. Also here: autocast, tensors
reshaped in place, sizes of layers, lists of tensors of unknown length. Not here: the shape and dtype rules themselves
(`shapecheck.ops`), modules as objects with attributes (`models.nn`).
"""
