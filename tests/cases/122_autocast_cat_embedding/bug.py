import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class TaskEncoder(nn.Module):
    def __init__(self, tasks: int = 4, dim: int = 24, task_dim: int = 24):
        super().__init__()
        self.task = nn.Embedding(tasks, task_dim)
        self.heads = nn.ModuleDict({"mood": nn.Linear(dim, 3), "topic": nn.Linear(dim, 7)})
        self.body = nn.TransformerEncoderLayer(dim, 2, 48, batch_first=True)

    def forward(
        self, x: Float[Tensor, "b t dim"], task: Int[Tensor, " b"], head: str
    ) -> Float[Tensor, "b out"]:
        prompt = self.task(task).unsqueeze(1)
        h = self.body(torch.cat([prompt, x], dim=1))
        return self.heads[head](h[:, 0])


def main() -> None:
    model = TaskEncoder(task_dim=16)
    x, task = torch.randn(5, 11, 24), torch.randint(0, 4, (5,))
    target = {"mood": torch.randint(0, 3, (5,)), "topic": torch.randint(0, 7, (5,))}
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
        losses = [nn.functional.cross_entropy(model(x, task, k), y) for k, y in target.items()]
    loss = torch.stack(losses).sum()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
