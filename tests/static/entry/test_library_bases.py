"""Classes with a base that is not modelled: what the class assigns is known, everything else is unknown."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

_WRONG = "Linear: expected the last dimension of the input to be 4, got 5 (weight of shape (8, 4)) [shape-mismatch]"
_BODY = """
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, x):
        return self.fc(x.view(2, 5))
"""

REPORTED = {
    "a module of Lightning": "import pytorch_lightning as pl\nclass Net(pl.LightningModule):",
    "a module of mmengine": "from mmengine.model import BaseModule\nclass Net(BaseModule):",
    "a module of fairseq": "from fairseq.models import BaseFairseqModel\nclass Net(BaseFairseqModel):",
    "a metric": "from torchmetrics import Metric\nclass Net(Metric):",
    "a private base of torch": "class Net(torch.nn.modules.loss._Loss):",
    "a mixin after nn.Module": (
        "from huggingface_hub import PyTorchModelHubMixin\nclass Net(nn.Module, PyTorchModelHubMixin):"
    ),
    "a mixin with options": (
        "from huggingface_hub import PyTorchModelHubMixin\n"
        "class Net(nn.Module, PyTorchModelHubMixin, library_name='net', tags=['a']):"
    ),
    "an unknown class": "from somewhere import Base\nclass Net(Base):",
    "an unknown expression": "import somewhere\nclass Net(somewhere.base('net')):",
    "a class of the project with an unknown base": (
        "from somewhere import Base\nclass Own(Base):\n    def reset(self): pass\nclass Net(Own):"
    ),
}


@pytest.mark.parametrize("name", REPORTED)
def test_the_forward_of_a_probable_module_is_analyzed(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, REPORTED[name] + _BODY) == [_WRONG]


def test_a_call_of_a_known_module_runs_its_forward(tmp_path: Path) -> None:
    source = """
        import pytorch_lightning as pl

        class Net(pl.LightningModule):
            def __init__(self, dim):
                super().__init__()
                self.fc = nn.Linear(dim, 8)

            def forward(self, x):
                return self.fc(x)

        Net(5)(x)
        """
    assert findings(tmp_path, source) == [
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (8, 5)) [shape-mismatch]"
    ]


FOREIGN = {
    "another framework": f"import paddle\nclass Net(paddle.nn.Layer):{_BODY}",
    "a class that is no module": f"import threading\nclass Net(threading.Thread):{_BODY}",
    "a constructor that does not call that of the base": """
from somewhere import Base
class Net(Base):
    def __init__(self):
        self.fc = nn.Linear(4, 8)

    def forward(self, x):
        return self.fc(x.view(2, 5))
""",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_other_classes_with_a_forward_are_not_modules(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, FOREIGN[name]) == []


_BASES = """
def transposed(self, x): return self.forward(x.T)
def built(self, *args, **kwargs):
    nn.Module.__init__(self)
    self.width = 3
def fill(self):
    self.head = nn.Linear(4, 7)
    self.sizes += [3]
Calling = type("Calling", (nn.Module,), {"__call__": transposed, "last": nn.Identity()})
Building = type("Building", (nn.Module,), {"__init__": built, "dim": property(lambda self: 4), "fill": fill})
Making = type("Making", (nn.Module,), {"__new__": lambda cls, n: nn.Linear(n, 2)})
"""

SILENT = {
    "__call__ of the base passes on another argument": """
        class Net(Calling):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(2, 8)

            def forward(self, x): return self.fc(x)

        Net()(x) + torch.rand(4, 8)
        """,
    "__call__ of the base returns something else": """
        class Net(Calling):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 8)

            def forward(self, x): return self.fc(x.T if len(x) == 4 else x)

        net = Net()
        assert net(x.T).shape == (2, 8)
        """,
    "attributes of the base": """
        class Net(Building):
            width = 4

            def __init__(self):
                super().__init__(2, dim=5)
                self.fc = nn.Linear(self.dim, self.width)

            def forward(self, x): return self.fc(x).view(2, 3)

        Net()(x)
        """,
    "a method of the base fills in what the constructor left empty": """
        class Net(Building):
            def __init__(self):
                super().__init__()
                self.head = None
                self.sizes = []
                self.fill()

            def forward(self, x):
                first, *_ = self.sizes
                return self.head(x).view(2, first + 4)

        Net()(x)
        """,
    "the base makes another object": """
        class Net(Making):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 5)

            def forward(self, x): return self.fc(x)

        Net(4)(x) + torch.rand(2)
        """,
    "an attribute that the constructor of the base sets": """
        class Net(Building):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 3)

            def forward(self, x): return self.fc(x).view(len(x), self.width)

        hasattr(Net(), "weight")
        Net()(x)
        """,
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_assumed_about_an_unknown_base(name: str, tmp_path: Path) -> None:
    source = _BASES + textwrap.dedent(SILENT[name])
    execute(source)
    assert findings(tmp_path, source) == []


def test_a_base_with_a_call_of_its_own_is_not_called(tmp_path: Path) -> None:
    source = """
        import gpytorch

        class Kernel(gpytorch.kernels.Kernel):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 8)

            def forward(self, x): return self.fc(x)

        class Sum(gpytorch.kernels.Kernel):
            def __init__(self, kernel):
                super().__init__()
                self.kernel = kernel

            def forward(self, x): return self.kernel.forward(x)

        Kernel()(torch.rand(3, 5))
        Sum(Kernel())(x)
        """
    assert findings(tmp_path, source) == []
