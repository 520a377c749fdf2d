"""Methods and decorators that are lambdas, whose body is an expression."""

from __future__ import annotations

from pathlib import Path

from tests.static.rules.programs import reported

PROGRAM = """
import functools

class Net(nn.Module):
    __init__ = lambda self, width=3: super(Net, self).__init__()
    forward = lambda self, x: x
    __getattr__ = lambda self, name: 3
    __setattr__ = lambda self, name, value: object.__setattr__(self, name, value)
    __getitem__ = lambda self, index: index
    __enter__ = lambda self: self
    __exit__ = lambda self, *error: None
    __iter__ = lambda self: iter([1])
    width = property(lambda self: 3)

class Meta(type):
    __call__ = lambda cls, *args, **kwargs: type.__call__(cls, *args, **kwargs)

class Base(metaclass=Meta):
    same = lambda self, x: x

class Child(Base):
    def both(self, x):
        return self.same(x)

same = lambda function: function
wrapped = lambda function: functools.wraps(function)(lambda *args: function(*args))

@same
def first(x: Float[Tensor, "b c"]):
    return x

@wrapped
def second(x):
    return x

same_again = lambda x: x.ndim == 3

def use(x):
    net = Net()
    net.size = 3
    with net as entered:
        entered.missing
    return net(x), net[0], [one for one in net], net.width, first(x), second(x), Child().both(x)
"""


def test_a_program_of_lambdas(tmp_path: Path) -> None:
    assert reported(tmp_path, PROGRAM) == []
