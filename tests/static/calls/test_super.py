"""`super()` follows the method resolution order of the object's class, as Python does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

SILENT = {
    "super(cls), which is bound to no object": """
        class Vocabulary:
            def __init__(self, words): self.words = words

        class Letters(Vocabulary):
            def __init__(self):
                super(Letters).__init__()
                self.words = "abc"

        Letters()
        """,
    "nn.Module does not call the next constructor": """
        class Mixin:
            def __init__(self, base): self.base = base

        class Net(nn.Module, Mixin):
            def __init__(self, base):
                super().__init__()
                Mixin.__init__(self, base)

        Net(3)
        """,
    "nn.Module in the middle": """
        class Config:
            def __init__(self, width): self.width = width

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 3)

        class Net(Block, Config):
            def __init__(self):
                super().__init__()
                Config.__init__(self, 3)

            def forward(self, x): return self.fc(x).view(-1, self.width)

        Net()(x)
        """,
    "a diamond": """
        class Base(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.n = n

        class Several(Base):
            def __init__(self, n): super().__init__(n=n)

        class One(Base):
            def __init__(self, alpha, n):
                super().__init__(n=n)
                self.fc = nn.Linear(4, n)

            def forward(self, x): return self.fc(x).view(2, self.n)

        class Both(One, Several): pass

        Both(0.5, n=2)(x)
        """,
    "a mixin before the module": """
        class Scaled:
            def __init__(self, *args, scale=2, **kwargs):
                super().__init__(*args, **kwargs)
                self.scale = scale

        class Head(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.fc = nn.Linear(4, width)

            def forward(self, x): return self.fc(x)

        class Net(Scaled, Head): pass

        Net(3, scale=4)(x)
        """,
    "a mixin before a layer": """
        class Named:
            def __init__(self, *args, name="", **kwargs):
                super().__init__(*args, **kwargs)
                self.name = name

        class Wide(Named, nn.Linear): pass

        F.relu(Wide(4, 8, name="wide")(x)).view(2, 8)
        """,
    "a layer before a mixin": """
        class Adapter:
            def __init__(self, layer, rank): self.rank = rank

        class Low(nn.Linear, Adapter):
            def __init__(self, inner, outer):
                super().__init__(inner, outer)
                Adapter.__init__(self, None, rank=2)

        Low(4, 8)(x).view(2, 8)
        """,
    "a layer whose constructor calls the next one": """
        class Counting(nn.Module):
            def __init__(self):
                super().__init__()
                self.count = 3

        class Net(nn.Linear, Counting): pass

        Net(4, 6)(x).view(Net(4, 6).count, 4)
        """,
    "call_super_init": """
        class Sized:
            def __init__(self, size): self.size = size

        class Net(nn.Module, Sized):
            call_super_init = True
            def forward(self, x): return x.view(self.size, -1)

        Net(8)(x)
        """,
    "Generic and ABC are transparent": """
        class Plain(Generic[T], abc.ABC):
            def __init__(self):
                super().__init__()
                self.ready = True

        class Shaped(Protocol):
            size: int

        class Net(Plain[int], nn.Module, Shaped):
            def __init__(self, size):
                super().__init__()
                self.size = size
                self.fc = nn.Linear(4, size)

            def forward(self, x): return self.fc(x)

        Net(3)(x)
        """,
    "the constructor of a Protocol does not call the next one": """
        class Shaped(Protocol):
            size: int

        class Wide:
            def __init__(self, size): self.size = size

        class Net(Shaped, Wide):
            def __init__(self):
                super().__init__()
                Wide.__init__(self, 4)

        Net()
        """,
    "with two arguments": """
        class Base:
            def __init__(self, a): self.a = a

        class Middle(Base):
            def __init__(self, a, b): super(Middle, self).__init__(a)

        class Last(Middle):
            def __init__(self, a): super(Middle, self).__init__(a)

        Last(1)
        """,
    "a static method": """
        class Crop:
            @staticmethod
            def cut(center, size): return slice(center, center + size)

        class Center(Crop):
            def cut(self, x): return x[super().cut(center=0, size=2)]

        Center().cut(x)
        """,
    "a class method": """
        class Base:
            def __init__(self, size): self.size = size

            @classmethod
            def make(cls, size): return cls(size)

        class Double(Base):
            @classmethod
            def make(cls, size): return super().make(2 * size)

        x.view(Double.make(2).size, -1)
        """,
    "a class method through an object": """
        class Base:
            @classmethod
            def width(cls, n): return n + cls.extra

        class Net(Base):
            extra = 1
            def widths(self): return super().width(3)

        x.view(Net().widths(), -1)
        """,
    "a property": """
        class Base:
            def __init__(self): self._size = 4

            @property
            def size(self): return self._size

        class Double(Base):
            @property
            def size(self): return 2 * super().size

        x.view(Double().size, -1)
        """,
    "a class attribute": """
        class Base:
            size = 4

        class Net(Base):
            size = 3
            def cut(self, x): return x.view(super().size, -1)

        Net().cut(x)
        """,
    "a method that nn.Module defines precedes that of a mixin": """
        class Mixin:
            def extra_repr(self, a, b): return a

        class Net(nn.Module, Mixin):
            def extra_repr(self): return super().extra_repr()

        Net().extra_repr()
        """,
    "a method that nn.Module lacks is that of the mixin": """
        class Mixin:
            def head(self, x): return x[:, :2]

        class Net(nn.Module, Mixin):
            def forward(self, x): return super().head(x).view(2, 2)

        Net()(x)
        """,
    "a method of a class that is given another object": """
        class Base:
            def size(self, extra): return extra

        class Net(Base):
            def size(self): return super().size(1)

        x.view(Net().size(), -1)
        """,
    "a dataclass after a class with a constructor": """
        import dataclasses

        class Base:
            def __init__(self): self.size = 1

        @dataclasses.dataclass
        class Options(Base):
            width: int

        x.view(Options(4).width, -1)
        """,
    "the bases of an unknown class": """
        Base = object if x.sum() > 100 else abc.ABC

        class Mixin:
            def __init__(self, *args): super().__init__()

        class Other:
            def __init__(self): self.n = 1

        class Net(Mixin, Base, Other): pass

        Net(3)
        """,
}

REPORTED = {
    "the next class is not nn.Module": (
        """
        class Config:
            def __init__(self, width): self.width = width

        class Net(Config, nn.Module):
            def __init__(self): super().__init__()

        Net()
        """,
        'Config() missing 1 required positional argument: "width" [wrong-call]',
    ),
    "a sibling in a diamond": (
        """
        class Base:
            def __init__(self): self.n = 1

        class Left(Base):
            def __init__(self): super().__init__()

        class Right(Base):
            def __init__(self, n): super().__init__()

        class Both(Left, Right): pass

        Both()
        """,
        'Right() missing 1 required positional argument: "n" [wrong-call]',
    ),
    "call_super_init": (
        """
        class Sized:
            def __init__(self, size): self.size = size

        class Net(nn.Module, Sized):
            call_super_init = True

        Net()
        """,
        'Sized() missing 1 required positional argument: "size" [wrong-call]',
    ),
    "a static method": (
        """
        class Crop:
            @staticmethod
            def cut(center, size): return slice(center, center + size)

        class Center(Crop):
            def cut(self, x): return x[super().cut(0, 1, 2)]

        Center().cut(x)
        """,
        "cut() takes 2 positional arguments but 3 were given [wrong-call]",
    ),
    "the size of a property": (
        """
        class Base:
            @property
            def size(self): return 3

        class Net(Base):
            @property
            def size(self): return 1 + 2 * super().size

            def cut(self, x): return x.view(self.size, -1)

        Net().cut(x)
        """,
        "view: shape (7, -1) is invalid for input of shape (2, 4): 8 elements are not divisible by 7, the product of"
        " the other sizes [shape-mismatch]",
    ),
    "the layers of the next class": (
        """
        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.fc = nn.Linear(width, 3)

            def forward(self, x): return self.fc(x)

        class Tagged:
            def __init__(self, width):
                super().__init__(width)

        class Net(Tagged, Block): pass

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a layer behind a mixin": (
        """
        class Named:
            def __init__(self, inner, outer): super().__init__(inner, outer)

        class Wide(Named, nn.Linear): pass

        Wide(5, 8)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (8, 5)) [shape-mismatch]",
    ),
}

UNCERTAIN = {
    "an unknown base": """
        import library

        class Base(library.Module):
            def __init__(self): super().__init__()

        class Other:
            def __init__(self, size): self.size = size

        class Net(Base, Other):
            def forward(self, x): return self.head(x)

        Net()(x)
        """,
    "an unknown base between two classes": """
        import library

        class First:
            def step(self, x): return super().step(x)

        class Second:
            def step(self): return 1

        class Net(First, library.Base, Second): pass

        Net().step(x)
        """,
    "bases that contradict each other": """
        class A: pass
        class B(A):
            def __init__(self, n): self.n = n
        class Net(A, B):
            def __init__(self): super().__init__()
        Net()
        """,
}


@pytest.mark.parametrize("name", SILENT)
def test_what_python_accepts_is_not_reported(name: str, tmp_path: Path) -> None:
    execute(SILENT[name])
    assert findings(tmp_path, SILENT[name]) == []


@pytest.mark.parametrize("name", REPORTED)
def test_what_python_refuses_is_reported(name: str, tmp_path: Path) -> None:
    source, message = REPORTED[name]
    with pytest.raises((TypeError, RuntimeError)):
        execute(source)
    assert findings(tmp_path, source) == [message]


@pytest.mark.parametrize("name", UNCERTAIN)
def test_what_follows_an_unknown_class_is_unknown(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, UNCERTAIN[name]) == []
