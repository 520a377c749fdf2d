"""torch.distributions: what a distribution's parameters make of the shapes of its samples and log-probabilities."""
