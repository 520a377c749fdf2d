"""PyTorch's own test databases (op_db, module_db) as the judge of `shapecheck.infer`."""
