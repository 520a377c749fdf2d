"""`torch.nn` as the engine sees it: layers and containers as objects that a program builds, changes and asks.

What a layer does to a tensor is a matter of `ops`. `layers` are classes of the project that derive from one of torch's,
`containers` run layer by layer, `methods` are those of nn.Module, with `children`, `parameters` and `casting` behind
them; `layer_sizes` are arguments of constructors that are surely numbers.
"""
