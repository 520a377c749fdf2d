"""Operators and layers of torch on abstract values: `torch_calls` asks `shapecheck.ops` and reports what it refuses.

With it: autocast, tensors reshaped in place, sizes of layers, lists of tensors of unknown length. Not here: the shape
and dtype rules themselves (`shapecheck.ops`), modules as objects with attributes (`models.nn`).
"""
