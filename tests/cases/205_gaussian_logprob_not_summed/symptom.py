def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return tuple(mod.surrogate(*mod.fake(4)).shape) != (4,)
