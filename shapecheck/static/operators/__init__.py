"""What torch's operators do to abstract values, asked of `ops`."""
