from loop_b import Thing  # noqa: F401
