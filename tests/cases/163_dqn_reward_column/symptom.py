def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.target(mod.make()).dim() == 2 and mod.target(mod.make()).shape[1] > 1
