class Module:
    """Not torch's."""
