"""What a person or a service gets to see of a run: one file a form, from `results` alone."""
