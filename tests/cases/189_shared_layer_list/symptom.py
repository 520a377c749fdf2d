def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return len({id(x) for x in mod.Tower().layers}) == 1
