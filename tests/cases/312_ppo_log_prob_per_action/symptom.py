import torch


def symptom(mod):
    """True when the ratio has one entry for each pair of samples and actions."""
    policy = mod.GaussianPolicy()
    obs = torch.randn(4, 5)
    action, logp = policy.act(obs)
    ratio, _, _ = mod.PPO(policy).ratio({"obs": obs, "action": action, "logp": logp})
    return ratio.shape != (4,)
