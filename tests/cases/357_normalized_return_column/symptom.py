import torch


def symptom(mod):
    """True when the target of a transition holds the values of all transitions."""
    memory, agent = mod.ReplayMemory(8), mod.TD3()
    for _ in range(8):
        memory.push(torch.randn(4), torch.randn(2), 0.5, torch.randn(4), False)
    _, _, reward, following, done = memory.sample(5)
    return agent.backup(reward, following, done).numel() != 5
