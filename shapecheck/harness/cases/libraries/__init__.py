"""Libraries whose models run by name, such as `timm:resnet18`. One file each, found by scanning this directory.

A file registers itself with `table.register`. It imports its library, and torch, only when a function is called.
"""
