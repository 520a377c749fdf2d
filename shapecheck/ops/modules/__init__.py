"""One file per family of `torch.nn` layers. A new layer is one class in its family's file."""
