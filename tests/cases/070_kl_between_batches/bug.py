import torch
import torch.nn.functional as F
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def distill(
    student: Float[Tensor, "b classes"],
    teacher: Float[Tensor, "b classes"],
    labels: Int[Tensor, " b"],
    temperature: float = 4.0,
) -> Float[Tensor, ""]:
    soft = F.kl_div(
        F.log_softmax(student / temperature, dim=-1),
        F.softmax(teacher / temperature, dim=-1),
        reduction="batchmean",
    )
    return temperature**2 * soft + F.cross_entropy(student, labels)


def mlp(n_in: int, hidden: int, n_out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(n_in, hidden), nn.GELU(), nn.Linear(hidden, n_out))


def main() -> None:
    teacher = mlp(30, 128, 12)
    student = mlp(30, 16, 10)
    x, y = torch.randn(14, 30), torch.randint(0, 10, (14,))
    with torch.no_grad():
        goal = teacher(x)
    loss = distill(student(x), goal, y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
