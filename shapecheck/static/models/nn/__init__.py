"""`torch.nn`: layers and containers as objects that a program creates, changes and queries.

The shape rules of layers are in `shapecheck.ops`. `layers` models classes of the project that derive from a layer of
torch, `containers` creates and runs nn.Sequential and the like, and `methods` models the methods of nn.Module, with
`children`, `parameters` and `casts`.
"""
