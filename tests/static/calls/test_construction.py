"""What a call of a class runs: `__new__`, metaclasses, hooks and decorators may change it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.static.calls.programs import execute, findings

SILENT = {
    "__new__ returns another object": """
        class Maker:
            def __new__(cls, kind): return kind()
            def __init__(self): pass

        Maker(dict)
        """,
    "__new__ takes other arguments": """
        class Maker:
            def __new__(cls, *args):
                made = object.__new__(cls)
                made.args = args
                return made

        Maker(1, 2)
        """,
    "classes that __init_subclass__ registers": """
        class Base:
            known = []
            def __init_subclass__(cls, **options): Base.known.append(cls)

        class First(Base): pass
        class Second(Base): pass

        first, second = Base.known
        """,
    "classes that the __new__ of a metaclass registers": """
        class Meta(type):
            known = []

            def __new__(meta, name, bases, members):
                made = super().__new__(meta, name, bases, members)
                meta.known.append(made)
                return made

        class First(metaclass=Meta): pass
        class Second(First): pass

        first, second = Meta.known
        """,
    "classes that the __init__ of a metaclass registers": """
        known = {}

        class Meta(type):
            def __init__(cls, name, bases, members): known[name] = cls

        class First(metaclass=Meta): pass
        class Second(First): pass

        (name, first), (other, second) = known.items()
        """,
    "a metaclass with __call__": """
        class Meta(type):
            def __call__(cls, *args, **kwargs):
                made = cls.__new__(cls)
                made.__init__(4)
                return made

        class Net(metaclass=Meta):
            def __init__(self, size): self.size = size

        Net()
        """,
    "a metaclass of a library that passes other arguments": """
        try:
            from library import Meta
        except ImportError:
            class Meta(type):
                def __call__(cls, *args, **kwargs): return super().__call__(4)

        class Net(nn.Module, metaclass=Meta):
            def __init__(self, size):
                super().__init__()
                self.fc = nn.Linear(size, 3)

            def forward(self, x): return self.fc(x)

        Net()(x)
        """,
    "what a metaclass calls on a new object sets a layer": """
        class Meta(type):
            def __call__(cls, *args, **kwargs):
                made = super().__call__(*args, **kwargs)
                made.set_up()
                return made

        class Net(nn.Module, metaclass=Meta):
            def __init__(self, size=4):
                super().__init__()
                self.size, self.fc = size, nn.Linear(5, 5)

            def set_up(self): self.fc = nn.Linear(self.size, 3)

            def forward(self, x): return self.fc(x)

        Net()(x)
        """,
    "a metaclass that returns another object": """
        class Meta(type):
            def __call__(cls, *args, **kwargs):
                made = super().__call__(*args, **kwargs)
                return made.inner

        class Net(nn.Module, metaclass=Meta):
            def __init__(self, size=5):
                super().__init__()
                self.fc, self.inner = nn.Linear(size, 3), nn.Linear(4, 3)

        Net()(x)
        """,
    "a metaclass that replaces methods": """
        class Meta(type):
            def __new__(mcs, name, bases, members):
                members["size"] = lambda self, extra: extra
                return super().__new__(mcs, name, bases, members)

        class Net(metaclass=Meta):
            def size(self): return 3

        Net().size(1)
        """,
    "__init_subclass__ sets an attribute": """
        class Base:
            size = 3
            def __init_subclass__(cls, size=4): cls.size = size

        class Net(Base, size=8): pass

        x.view(Net().size, -1)
        """,
    "__init_subclass__ sets any attribute": """
        class Base:
            size = 3
            def __init_subclass__(cls, **options):
                for name, value in options.items():
                    setattr(cls, name, value)

        class Net(Base, size=8):
            size = 5

        x.view(Net().size, -1)
        """,
    "a partial of a class": """
        class Net(nn.Module):
            def __init__(self, width, *, bias):
                super().__init__()
                self.fc = nn.Linear(4, width, bias=bias)

            def forward(self, x): return self.fc(x)

        functools.partial(Net, bias=True)(3)(x)
        functools.partial(Net, 3)(bias=False)(x)
        """,
    "a class that is replaced": """
        def small(cls):
            return functools.partial(cls, 3)

        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.fc = nn.Linear(4, width)

        Net = small(Net)
        Net()
        """,
    "a class that is defined twice": """
        if x.sum() > 1:
            class Net:
                def __init__(self): pass
        else:
            class Net:
                def __init__(self, a=1): pass

        Net()
        """,
    "singledispatch": """
        @functools.singledispatch
        def size(value): return 1

        @size.register
        def _(value: int, extra=0): return value + extra

        size(3, 4)
        """,
    "singledispatchmethod": """
        class Sizes:
            @functools.singledispatchmethod
            def of(self, value): return 1

            @of.register
            def _(self, value: int, extra=0): return value + extra

        Sizes().of(3, 4)
        """,
    "a forward that is set on the object": """
        class Net(nn.Module):
            def forward(self, x): return x

        def both(x, y): return x + y

        net = Net()
        net.forward = both
        net(x, x)
        """,
    "a method that is patched": """
        class Net:
            def size(self): return 3

        def patch():
            Net.size = lambda self, extra: extra

        patch()

        def use(): return Net().size(4)

        use()
        """,
    "a method that is patched by name": """
        class Net:
            def size(self): return 3

        def patch():
            setattr(Net, "size", lambda self, extra: extra)

        patch()
        Net().size(4)
        """,
    "a class decorator that replaces the constructor": """
        def counted(cls):
            before = cls.__init__

            def __init__(self, *args):
                before(self)

            cls.__init__ = __init__
            return cls

        @counted
        class Net:
            def __init__(self): self.size = 4

        Net(1, 2)
        """,
    "a singleton": """
        class Config:
            _only = None

            def __new__(cls, size):
                if cls._only is None:
                    cls._only = super().__new__(cls)
                return cls._only

            def __init__(self, size): self.size = size

        x.view(Config(2).size, -1)
        """,
}

REPORTED = {
    "a singleton": (
        """
        class Config:
            def __new__(cls, size):
                made = super().__new__(cls)
                return made

            def __init__(self, size): self.size = size

        x.view(Config(3).size, -1)
        """,
        "view: shape (3, -1) is invalid for input of shape (2, 4): 8 elements are not divisible by 3, the product of"
        " the other sizes [shape-mismatch]",
    ),
    "an abstract base class": (
        """
        class Net(metaclass=abc.ABCMeta):
            def __init__(self, size): self.size = size

        Net()
        """,
        'Net() missing 1 required positional argument: "size" [wrong-call]',
    ),
    "a metaclass that calls a method after the constructor": (
        """
        class Meta(type):
            def __call__(cls, *args, **kwargs):
                made = type.__call__(cls, *args, **kwargs)
                made.set_up()
                return made

        class Net(nn.Module, metaclass=Meta):
            def __init__(self, size=4):
                super().__init__()
                self.size, self.fc = size, None

            def set_up(self): self.fc = nn.Linear(self.size, 3)

            def forward(self, x): return self.fc(x)

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a protocol whose objects can be tested": (
        """
        from typing import Protocol, runtime_checkable

        @runtime_checkable
        class Adapter(Protocol):
            def names(self) -> list: ...

        class Net(nn.Module, Adapter):
            def __init__(self, size):
                super().__init__()
                self.fc = nn.Linear(size, 3)

            def forward(self, x): return self.fc(x)

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a decorator that completes comparisons": (
        """
        import functools

        @functools.total_ordering
        class Net(nn.Module):
            def __init__(self, size):
                super().__init__()
                self.fc = nn.Linear(size, 3)

            def __lt__(self, other): return self.fc.in_features < other.fc.in_features
            def forward(self, x): return self.fc(x)

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a metaclass that calls the constructor itself": (
        """
        class Meta(type):
            def __call__(cls, *args, **kwargs):
                made = cls.__new__(cls)
                made.before(*args, **kwargs)
                made.__init__(*args, **kwargs)
                return made

        class Base(nn.Module, metaclass=Meta):
            def before(self, *args, **kwargs): super().__init__()
            def __init__(self): pass

        class Net(Base):
            def __init__(self, size): self.fc = nn.Linear(size, 3)
            def forward(self, x): return self.fc(x)

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a metaclass of a library": (
        """
        try:
            from library import Meta
        except ImportError:
            Meta = type

        class Net(nn.Module, metaclass=Meta):
            def __init__(self, size):
                super().__init__()
                self.fc = nn.Linear(size, 3)

            def forward(self, x): return self.fc(x)

        Net(5)(x)
        """,
        "Linear: expected the last dimension of the input to be 5, got 4 (weight of shape (3, 5)) [shape-mismatch]",
    ),
    "a metaclass that registers": (
        """
        class Meta(type):
            def __init__(cls, name, bases, members):
                super().__init__(name, bases, members)
                print(name)

        class Net(metaclass=Meta):
            def __init__(self, size): self.size = size

        Net()
        """,
        'Net() missing 1 required positional argument: "size" [wrong-call]',
    ),
    "__init_subclass__ that registers": (
        """
        known = []

        class Base:
            def __init_subclass__(cls): known.append(cls)

        class Net(Base):
            def __init__(self, size): self.size = size

        Net()
        """,
        'Net() missing 1 required positional argument: "size" [wrong-call]',
    ),
    "a partial of a class": (
        """
        class Net:
            def __init__(self, size): self.size = size

        functools.partial(Net, 3)(4)
        """,
        "Net() takes 1 positional argument but 2 were given [wrong-call]",
    ),
    "an object with its own forward": (
        """
        class Net(nn.Module):
            def forward(self, x): return x

        def narrow(x): return x.view(3, -1)

        net = Net()
        net.forward = narrow
        net(x)
        """,
        "view: shape (3, -1) is invalid for input of shape (2, 4): 8 elements are not divisible by 3, the product of"
        " the other sizes [shape-mismatch]",
    ),
}

INCOMPLETE = {
    "the class of an object of a subclass": """
        class Base:
            def __init__(self): self.size = 1
            def copy(self): return self.__class__(self.size)
            def again(self): return type(self)(self.size)
        """,
    "an override in a subclass": """
        class Base:
            def run(self, x): return self.mix(x, 1)
            def mix(self, x): return x

        class Net(Base):
            def mix(self, x, y): return x + y
        """,
    "a template method of an abstract class": """
        class Base(abc.ABC):
            @abc.abstractmethod
            def size(self): return 1
            def run(self, x): return self.mix(x, 1)
            def mix(self, x): return x
        """,
    "a mixin that calls its siblings": """
        class Base:
            def __init__(self): self.size = 1

        class SizeMixin(Base):
            def __init__(self, size): super().__init__(size)
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


@pytest.mark.parametrize("name", INCOMPLETE)
def test_a_class_without_objects_represents_its_subclasses(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, INCOMPLETE[name]) == []


def test_a_class_that_is_used_represents_itself(tmp_path: Path) -> None:
    source = textwrap.dedent(INCOMPLETE["an override in a subclass"]) + "Base().run(x)\n"
    assert findings(tmp_path, source) == ["Base.mix() takes 1 positional argument but 2 were given [wrong-call]"]


def test_a_class_decorator_of_another_file_may_replace_the_constructor(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "def counted(cls):\n    cls.__init__ = lambda self, *args: None\n    return cls\n"
    )
    source = """
        from tools import counted

        @counted
        class Net:
            def __init__(self): self.size = 4

        Net(1, 2)
        """
    assert findings(tmp_path, source) == []
