def symptom(mod):
    """True when the shapes or values are those of the defect."""
    return mod.giou_loss(mod.some(4), mod.some(4)).dim() == 2
