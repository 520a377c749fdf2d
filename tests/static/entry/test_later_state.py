"""The state of an object that its constructor leaves is not final: what other code assigns or fills is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

STORE = """
class Store(nn.Module):
    def __init__(self, room: int = 4):
        super().__init__()
        {field}
{writer}

    def read(self, x):
        return {use}


class Holder(nn.Module):
    def __init__(self, room: int = 4):
        super().__init__()
        self.stores = nn.ModuleList([Store(room)])
        self.store = Store(room)

    def forward(self, x):
        return self.store.read(x), self.stores[0].read(x)

    def later(self, x):
        return self.store.read(x)
"""
"""An object that another one holds, with a field and code that writes it."""

BUFFER = "self.register_buffer('mean', torch.empty(0))"
WRITERS = {
    "a buffer that a method assigns": (BUFFER, "    def fit(self, x):\n        self.mean = x", "self.mean[0]"),
    "a buffer that no known code assigns": (BUFFER, "", "self.mean[0]"),
    "a buffer that is unpacked into": (
        "self.mean = torch.zeros(1)",
        "    def fit(self, x):\n        self.mean, self.scale = x, x",
        "self.mean[3]",
    ),
    "a buffer with a name that is computed": (
        "self.mean = torch.zeros(1)",
        "    def fit(self, found):\n        for key in found:\n            setattr(self, key, found[key])",
        "self.mean[3]",
    ),
    "attributes that are all replaced": (
        "self.mean = torch.zeros(())",
        "    def fit(self, found):\n        self.__dict__.update(found)",
        "self.mean[3]",
    ),
    "attributes replaced through vars": (
        "self.mean = torch.zeros(())",
        "    def fit(self, found):\n        vars(self)['mean'] = found",
        "self.mean[3]",
    ),
    "a buffer that is resized": (
        "self.mean = torch.zeros(1)",
        "    def fit(self, n):\n        self.mean.resize_(n)",
        "self.mean[3]",
    ),
    "the data of a parameter": (
        "self.mean = nn.Parameter(torch.zeros(1))",
        "    def fit(self, x):\n        self.mean.data = x",
        "self.mean[3]",
    ),
    "a buffer that is registered again": (
        "self.mean = torch.zeros(1)",
        "    def fit(self, x):\n        self.register_buffer('mean', x)",
        "self.mean[3]",
    ),
    "a list that a method fills": (
        "self.parts = []",
        "    def add(self, x):\n        self.parts.append(x)",
        "torch.stack(self.parts)",
    ),
    "a list that no known code fills": ("self.parts = []", "", "torch.stack(self.parts)"),
    "a list of modules that no known code fills": (
        "self.parts = nn.ModuleList()",
        "",
        "torch.stack([one(x) for one in self.parts])",
    ),
    "a dict that a method fills": (
        "self.parts = {}",
        "    def add(self, x):\n        self.parts['a'] = x",
        "torch.stack(list(self.parts.values()))",
    ),
    "a Sequential that a method fills": (
        "self.parts = nn.Sequential()",
        "    def add(self, layer):\n        self.parts.add_module('a', layer)",
        "nn.Linear(3, 4)(self.parts(torch.zeros(2, 5)))",
    ),
    "a layer that a method replaces": (
        "self.head = nn.Identity()",
        "    def add(self, layer):\n        self.head = layer",
        "nn.Linear(3, 4)(self.head(torch.zeros(2, 5)))",
    ),
    "a number that a method counts": (
        "self.step = 0",
        "    def add(self):\n        self.step += 1",
        "torch.zeros(self.step)[0]",
    ),
    "a size and a table that belong together": (
        "self.rows = 0\n        self.table = torch.zeros(7, 2)",
        "    def grow(self, n):\n        self.rows, self.table = n, torch.zeros(n, 2)",
        "self.table[:, 0] + torch.zeros(5) if self.rows else x",
    ),
}

QUIET = {
    "the lists of a method that subclasses override": """
class Learner(nn.Module):
    def losses(self, batch):
        return [], [], self(batch)

    def training_step(self, batch):
        metrics, support, query = self.losses(batch)
        return torch.stack(support).mean() + torch.stack(query).mean()
""",
    "a forward that a method chooses": """
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)
                self.pretrain()

            def pretrain(self):
                self.forward = self.compare

            def finetune(self):
                self.forward = self.encode

            def compare(self, x, y):
                return self.fc(x) - self.fc(y)

            def encode(self, x):
                return self.fc(x)

        class Task(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = Encoder()

            def forward(self, x):
                return self.encoder(x)
        """,
    "a class attribute that a base class assigns": """
        class Detect(nn.Module):
            anchors = torch.empty(0)
            shape = None
            sizes = []

            def forward(self, x):
                return self.decode(x)

            def decode(self, x):
                if self.shape != x.shape:
                    self.anchors, self.strides = (a.transpose(0, 1) for a in (x, x))
                    self.sizes = [x]
                return x

        class Pose(Detect):
            def points(self, x):
                return x[:, 0::2] + self.anchors[0] + torch.stack(self.sizes)
        """,
    "a class attribute that a subclass assigns": """
        class Base:
            width = 0

            def rows(self, x):
                return torch.zeros(self.width)[0]

        class Wide(Base):
            def __init__(self):
                self.width = 4
        """,
    "attributes that another object assigns": """
        class Inner(nn.Module):
            def __init__(self):
                super().__init__()
                self.head, self.mean, self.parts = nn.Identity(), torch.zeros(1), nn.Sequential()

            def forward(self, x):
                y = self.parts(self.head(torch.zeros(2, 5)))
                return nn.Linear(3, 4)(y) + self.mean[2]

        class Outer:
            def attach(self, model, name, layer):
                model.head = layer
                model.mean, model.other = layer, layer
                model.parts.append(layer)
        """,
    "attributes that a function assigns under an unknown name": """
        class Inner(nn.Module):
            def __init__(self):
                super().__init__()
                self.head = nn.Identity()

            def forward(self, x):
                return nn.Linear(3, 4)(self.head(torch.zeros(2, 5)))

        def load(model, found):
            for key, value in found.items():
                setattr(model, key, value)
        """,
    "an object in an object of a list": """
        class Cell:
            def __init__(self):
                self.seen = []

        class Grid:
            def __init__(self):
                self.cells = [[Cell(), Cell()]]

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.grid = Grid()

            def forward(self, x):
                return torch.cat(self.grid.cells[0][1].seen)
        """,
    "a module that a function builds": """
        class Memory(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.seen = []

            def forward(self, x):
                return torch.cat(self.seen)

        def memory():
            return Memory(4)
        """,
    "a number that is computed from one that is replaced": """
        class Counts:
            def __init__(self, classes: int = 0):
                self.classes, self.rows = classes, classes

            def fit(self, classes):
                self.classes = classes

            def first(self):
                if self.classes == 1:
                    return torch.zeros(self.rows)[0]
        """,
    "a flag that another method sets": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.wide, self.head = False, nn.Linear(4, 4)

            def widen(self):
                self.wide, self.head = True, nn.Linear(8, 4)

            def score(self, x):
                if self.wide:
                    return self.head(torch.zeros(2, 8))
                return self.head(torch.zeros(2, 4))
        """,
}

DTYPES = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.dtype = torch.get_default_dtype()

    def to(self, dtype):
        self.dtype = dtype
        return super().to(dtype)

    def forward(self, x, y):
        return x.to(self.dtype).lerp(y.to(torch.bfloat16), 0.5)
"""


def test_a_dtype_that_a_method_sets(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, DTYPES)
    assert check([path]) == []
    path, _ = lines_of(tmp_path, DTYPES.replace("self.dtype = dtype", "pass"))
    assert [one.code for one in check([path])] == ["dtype-mismatch"]


FOUND = {
    "a forward that only the constructor chooses": """
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.forward = self.compare

            def compare(self, x, y):
                return x - y

        class Task(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = Encoder()

            def forward(self, x):
                return self.encoder(x)  # HERE
        """,
    "a layer that another method replaces": """
        class Net(nn.Module):
            def __init__(self, classes: int = 10):
                super().__init__()
                self.up, self.head = nn.Linear(8, 16), nn.Linear(32, classes)

            def reset(self, classes):
                self.head = nn.Linear(32, classes)

            def forward(self, x):
                return self.head(self.up(x))  # HERE
        """,
    "layers that a method builds for the constructor": """
        class Net(nn.Module):
            def __init__(self, width: int = 8):
                super().__init__()
                self.layers = nn.ModuleList()
                self.build(width)

            def build(self, width):
                self.layers.append(nn.Linear(8, 16))
                self.layers.append(nn.Linear(width, 16))

            def forward(self, x):
                return self.layers[1](self.layers[0](x))  # HERE
        """,
    "state that forward creates when it is first called": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.state, self.up = None, nn.Linear(8, 16)

            def forward(self, x):
                if self.state is None:
                    self.state = torch.zeros(4)
                return self.up(x) + self.state  # HERE
        """,
    "a held module": """
        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.up, self.seen = nn.Linear(8, width), []

            def forward(self, x):
                self.seen.append(x)
                return self.up(x)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.block, self.head = Block(16), nn.Linear(32, 4)

            def forward(self, x):
                return self.head(self.block(x))  # HERE
        """,
    "an empty Sequential as the identity": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.up, self.skip = nn.Linear(8, 16), nn.Sequential()

            def forward(self, x):
                return self.up(x) + self.skip(torch.zeros(3, 8))  # HERE
        """,
    "a buffer with sizes": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.up = nn.Linear(8, 16)
                self.register_buffer("mean", torch.zeros(8))

            def fit(self, x):
                self.mean = x.mean(0)

            def forward(self, x):
                return self.up(x) - self.mean  # HERE
        """,
}

MODES = """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fused, self.merged, self.fc = False, True, nn.Linear(8, 4)

    def forward(self, x):
        y = self.fc(x)
        if self.fused:
            return y, y.mean(-1)
        return [{{"scores": one}} for one in y]

    def deploy(self):
        self.fused = True
        self.merged, self.fc = False, nn.Linear(16, 4)
        return self


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.table = Head(), nn.Parameter(torch.zeros(4))

    def {method}(self, x):
        {use}
"""
"""An object that holds one with a mode."""
DEPLOYED = {
    "a result of another type": "scores, means = self.head(x)\n        return self.table[scores]",
    "a layer that the mode replaces": "return self.head.fc(torch.zeros(2, 16))",
    "a flag that the mode clears": "return self.table.view(3 if self.head.merged else 4)",
}
IN_ANY_MODE = {
    "a result of any mode": ("later", "return self.table.view(self.head(x)[0], -1) @ torch.zeros(5)"),
    "a part without a mode": ("later", "return nn.Linear(8, 4)(torch.zeros(2, 16))"),
    "the mode of the constructor": ("forward", "return self.head.fc(torch.zeros(2, 16))"),
}


@pytest.mark.parametrize("use", DEPLOYED.values(), ids=DEPLOYED)
def test_the_mode_of_a_held_object_is_unknown(use: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, MODES.format(method="later", use=use))
    assert check([path]) == []


@pytest.mark.parametrize(("method", "use"), IN_ANY_MODE.values(), ids=IN_ANY_MODE)
def test_what_fails_in_the_possible_modes_is_found(method: str, use: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, MODES.format(method=method, use=use))
    assert [text.splitlines()[one.line - 1].strip() for one in check([path])] == [use]


@pytest.mark.parametrize("name", WRITERS)
def test_placeholders_of_held_objects_are_unknown(name: str, tmp_path: Path) -> None:
    field, writer, use = WRITERS[name]
    path, _ = lines_of(tmp_path, STORE.format(field=field, writer=writer, use=use))
    assert check([path]) == []


@pytest.mark.parametrize("name", QUIET)
def test_what_other_code_writes_is_unknown(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_constructors_alone_decide_is_known(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, FOUND[name])
    assert [text.splitlines()[one.line - 1].endswith("# HERE") for one in check([path])] == [True]
