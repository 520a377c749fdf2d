import torch


def symptom(mod):
    """True when the loss is not the mean over the aligned pairs."""
    torch.manual_seed(0)
    policy = mod.GaussianPolicy()
    obs, act, ret = torch.randn(6, 5), torch.randn(6, 1), torch.randn(6)
    got = mod.policy_loss(policy, obs, act, ret)
    want = -(policy.dist(obs).log_prob(act)[:, 0] * ret).mean()
    return not torch.allclose(got, want)
