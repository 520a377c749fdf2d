"""direct-forward: from outside of the object alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a model, from outside": """
        class Net(nn.Module):
            def forward(self, x):
                return x

        model = Net()
        model.forward(torch.zeros(3))  # HERE
        """,
    "a layer of torch's": "nn.Linear(3, 4).forward(torch.zeros(3))  # HERE",
    "a layer of its own, from inside": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                return self.fc.forward(x)  # HERE
        """,
    "a Sequential": "nn.Sequential(nn.Linear(3, 4)).forward(torch.zeros(3))  # HERE",
}

MESSAGES = {
    "a model, from outside": "model.forward() skips hooks; call model()",
    "a layer of torch's": "nn.Linear(3, 4).forward() skips hooks; call nn.Linear(3, 4)()",
    "a layer of its own, from inside": "self.fc.forward() skips hooks; call self.fc()",
    "a Sequential": "nn.Sequential(nn.Linear(3, 4)).forward() skips hooks; call nn.Sequential(nn.Linear(3, 4))()",
}

QUIET = {
    "a call": "nn.Linear(3, 4)(torch.zeros(3))",
    "the forward of a base": """
        class Twice(nn.Linear):
            def forward(self, x):
                return super().forward(x) * 2

        class Thrice(Twice):
            def forward(self, x):
                return super(Thrice, self).forward(x) * 3 + nn.Linear.forward(self, x)
        """,
    "an object's own": """
        class Net(nn.Module):
            def forward(self, x):
                return x

            def predict(self, x):
                return self.forward(x).argmax(-1)

        Net().predict(torch.zeros(3))
        """,
    "an object that is not a module": """
        class Policy:
            def forward(self, x):
                return x

        Policy().forward(torch.zeros(3))
        """,
    "an unknown receiver": """
        def run(model, x):
            return model.forward(x)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "direct-forward")
    assert text == MESSAGES[name]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
