"""normalized-axis: losses of probabilities that are normalized over another dimension than that of the classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import place, reported

PROGRAM = """
class Net(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.linear = nn.Linear(features, classes)
        self.conv = nn.Conv2d(3, classes, 1)
        self.last = nn.LogSoftmax(dim=-1)

    def forward(
        self,
        x: Float[Tensor, "b features"],
        images: Float[Tensor, "b 3 h w"],
        y: Int[Tensor, "b"],
        marks: Int[Tensor, "b h w"],
        known: Bool[Tensor, "b"],
        teacher: Float[Tensor, "b classes"],
    ):
        scores, maps = self.linear(x), self.conv(images)
        return {loss}  # HERE
"""
FOUND = {
    "F.nll_loss(F.log_softmax(scores, dim=0), y)": "nll_loss: the classes are dimension 1 of (b, classes), but "
    "log_softmax normalized dimension 0 of (b, classes); pass dim=1 to log_softmax",
    "F.nll_loss(scores.log_softmax(0)[known], y[known])": "log_softmax normalized dimension 0 of (b, classes)",
    "nn.NLLLoss()(self.last(maps), marks)": "LogSoftmax normalized dimension -1 of (b, classes, h, w)",
    "F.nll_loss(F.log_softmax(maps, dim=2), marks)": "log_softmax normalized dimension 2 of (b, classes, h, w)",
    "F.kl_div(F.log_softmax(scores, dim=1), F.softmax(teacher, dim=0))": "kl_div: log_softmax normalized dimension 1 "
    "of the input (b, classes), but softmax dimension 0 of the target (b, classes); pass the same dim to both",
    "F.softmax(scores, dim=0).multinomial(1)": "multinomial: draws from the last dimension of (b, classes), but "
    "softmax normalized dimension 0 of (b, classes); pass dim=-1 to softmax",
    "torch.multinomial(F.softmax(self.linear(x)[:, 2:], dim=-2), num_samples=1)": "softmax normalized dimension -2 of",
    "nn.KLDivLoss()(F.log_softmax(scores, dim=0), teacher.softmax(-1))": "log_softmax normalized dimension 0 of",
}
QUIET = [
    "F.nll_loss(F.log_softmax(scores, dim=1), y)",
    "F.nll_loss(self.last(scores), y)",
    "F.nll_loss(F.log_softmax(maps, dim=1), marks)",
    "F.nll_loss(F.log_softmax(maps, dim=-3), marks)",
    "F.nll_loss(maps.permute(0, 2, 3, 1).log_softmax(3)[marks > 0], marks[marks > 0])",
    "F.nll_loss(F.log_softmax(scores[0], dim=0), y[0])",
    "F.softmax(scores, dim=-1).multinomial(1) + F.softmax(scores, dim=1).multinomial(1)",
    "F.softmax(scores[0], dim=0).multinomial(1)",
    "F.kl_div(F.log_softmax(scores, dim=1), F.softmax(teacher, dim=-1))",
    "F.kl_div(F.log_softmax(scores, dim=0), F.softmax(teacher, dim=0)) + scores.softmax(1).sum()",
]


def program(loss: str) -> str:
    return "from jaxtyping import Bool, Int\n" + PROGRAM.format(loss=loss)


@pytest.mark.parametrize("loss", FOUND)
def test_found(loss: str, tmp_path: Path) -> None:
    source = program(loss)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "normalized-axis")
    assert FOUND[loss] in message


@pytest.mark.parametrize("loss", QUIET)
def test_quiet(loss: str, tmp_path: Path) -> None:
    assert reported(tmp_path, program(loss)) == []
