"""softmax-dim: functions at their calls, layers at their construction."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a function, of a tensor of known rank": (
        "F.softmax(torch.zeros(2, 3, 4))  # HERE",
        "softmax without dim uses dimension 0 of (2, 3, 4); pass dim=0, or dim=-1 for the last dimension",
    ),
    "a function, of a matrix": (
        "F.softmax(torch.zeros(2, 3))  # HERE",
        "softmax without dim uses dimension 1 of (2, 3); pass dim=-1",
    ),
    "of unknown rank": (
        """
        def attend(scores):
            return F.log_softmax(scores)  # HERE
        """,
        "log_softmax without dim uses dimension 0 of 1-D and 3-D inputs, else dimension 1; pass dim, such as dim=-1",
    ),
    "an explicit None": ("F.softmin(torch.zeros(2, 3), dim=None)  # HERE", "softmin without dim"),
    "a layer, where it is built": ("nn.Sequential(nn.Linear(3, 2), nn.Softmax())  # HERE", "Softmax without dim"),
    "a subclass in the project": (
        """
        class Probabilities(nn.LogSoftmax):
            def __init__(self):
                super().__init__()  # HERE

        Probabilities()(torch.zeros(2, 3))
        """,
        "LogSoftmax without dim",
    ),
}

QUIET = {
    "dim by position": "F.softmax(torch.zeros(2, 3), -1)",
    "dim by name": "F.log_softmax(torch.zeros(2, 3), dim=1)",
    "dim under the name that numpy has for it": "torch.softmax(torch.zeros(2, 3), axis=-1)",
    "the method": "torch.zeros(2, 3).softmax(-1)",
    "the layers": "nn.Softmax(dim=1)(torch.zeros(2, 3)), nn.LogSoftmax(-1)(torch.zeros(2, 3))",
    "a layer whose class sets it": """
        class Probabilities(nn.Softmax):
            def __init__(self, dim=None):
                super().__init__()
                self.dim = -1 if dim is None else dim

        Probabilities()(torch.zeros(2, 3))
        """,
    "an unknown dim": """
        def attend(scores, axis=None):
            return F.softmax(scores, axis)
        """,
    "others choose their dimension": "nn.Softmax2d()(torch.zeros(2, 3, 4, 4)), F.gumbel_softmax(torch.zeros(2, 3))",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, message = FOUND[name]
    ((line, code, text),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "softmax-dim")
    assert message in text


REFUSED = ("torch.softmax(torch.zeros(2, 3), dims=1)", "F.log_softmax(torch.zeros(2, 3), axes=1)", "nn.Softmax(dims=1)")


@pytest.mark.parametrize("call", REFUSED)
def test_a_call_that_torch_rejects_is_one_finding(call: str, tmp_path: Path) -> None:
    assert [code for _, code, _ in reported(tmp_path, call)] == ["wrong-call"]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("call", ["torch.softmax(x)", "torch.log_softmax(x)", "x.softmax()", "x.log_softmax()"])
def test_functions_that_require_a_dimension_are_called_wrongly(call: str, tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, f"x = torch.zeros(2, 3)\n{call}\n")
    assert (code, message.partition(": ")[2]) == ("wrong-call", 'missing 1 required positional argument: "dim"')
