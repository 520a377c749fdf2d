"""torch.distributions: the shapes of samples and log-probabilities, from the parameters of a distribution."""
