"""The variants of an entry point: one argument that no call selects, instead of a default.

- A *flag*: a bool has the other value, or each value if it has no default; a string is another one of those that the
  code compares it with; a count of 1, which the code compares with a number, is 2; what is compared with None is None;
  a rate of 0.0, which the code compares in the same way, is 0.5;
  a tuple of one number, of whose items the code takes the largest and then each, `topk=(1,)`, has two.
- A *size*: an integer is twice as large, if the class has a layer with the same literal size.
- An *optional tensor*, whose default is None, is given: a symbolic argument other than None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import ABSENT, Absent, Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.argument_binding import Parameter, defaults_of, parameters_of
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.provenance.call_operands import INPUT_PARAMETERS, OUTPUT_PARAMETERS

_SMALLEST_SIZE = 2
_COUNT = 2
_RATE = 0.5
_ONE_ITEM, _TWO_ITEMS = (1,), (1, 5)
_MOST_STRINGS = 4
_TESTS = lazy_pattern(r"(?:^|_)(?:tests?|conftest)(?:_|$)")
_WRITTEN_TENSOR = lazy_pattern(r"(?:Optional\[)?(?:torch\.)?\w*Tensor\]?(?: \| None)?")
_LEAVING = (ast.Return, ast.Raise)
_TAKE_SIZES = frozenset("permute view reshape expand repeat tile flip movedim moveaxis transpose unflatten".split())
_SIZES = frozenset((*INPUT_PARAMETERS, *OUTPUT_PARAMETERS))


class Variant(NamedTuple):
    """A parameter, its default, and the argument of the variant."""

    loaded: SourceModule
    scope: ast.AST
    """The class of the function that has the parameter, or the function."""
    parameter: Parameter
    default: Value
    """ABSENT if there is none."""
    value: Value

    @property
    def is_size(self) -> bool:
        """Whether it is about a size, not about a branch."""
        return type(self.value) is int and self.value > _COUNT

    @property
    def is_given(self) -> bool:
        """Whether an optional tensor is given."""
        return isinstance(self.value, (SymbolicArgument, TensorSpec))

    def as_stored(self) -> Variant:
        """The variant for a constructor, which stores the tensor: what methods require of it is not learned."""
        return self._replace(value=TensorSpec.anything())

    @property
    def is_count(self) -> bool:
        """Whether it is a number of layers, steps or the like."""
        return type(self.value) is int and self.value == _COUNT

    def with_next_count(self) -> Variant:
        """The variant with one layer, step or the like more."""
        return self._replace(value=_COUNT + 1)

    def states_input_of(self, layer: ast.AST) -> bool:
        """Whether its only use is the input size of a layer: it says which size the parts before have."""
        if not isinstance(layer, ast.Call):
            return False
        inputs = [*layer.args[:1], *(one.value for one in layer.keywords if one.arg in INPUT_PARAMETERS)]
        uses = list(_uses(self.scope, self.parameter.name))
        return len(uses) == 1 and any(uses[0] is one for part in inputs for one in walk(part))

    def branches(self) -> Iterator[ast.AST]:
        """The parts of conditional statements and expressions whose conditions mention the parameter."""
        for one in walk(self.scope):
            if isinstance(one, (ast.If, ast.IfExp)) and self.decides(one):
                for part in (one.body, one.orelse):
                    yield from part if isinstance(part, list) else (part,)

    def regions(self) -> Iterator[ast.AST]:
        """The branches, and what follows one that leaves: after `if fused: return y`, it is not fused."""
        yield from self.branches()
        for block in _blocks(self.scope):
            for place, one in enumerate(block):
                if isinstance(one, ast.If) and self.decides(one) and isinstance(one.body[-1], _LEAVING):
                    yield from block[place + 1 :]

    def decides(self, node: ast.If | ast.IfExp) -> bool:
        """Whether a condition mentions the parameter."""
        return _mentions(node.test, self.parameter.name)

    @property
    def state(self) -> str:
        """What is so in the variant of a flag or an optional tensor."""
        if self.is_given:
            return f"{self.parameter.name} is given"
        return f"{self.parameter.name}={value_text(self.value)}"

    @property
    def condition(self) -> str:
        """When a finding of the variant occurs."""
        if self.is_size:
            return f"works only for {self.parameter.name}={value_text(self.default)}"
        if self.is_count:
            return f"fails for {self.parameter.name}={_COUNT} and {self.parameter.name}={_COUNT + 1}"
        return f"fails whenever {self.state}"

    @property
    def choice(self) -> str:
        """What was chosen in place of the default."""
        value = "a tensor" if self.is_given else value_text(self.value)
        return f"{self.parameter.name}={value}"


@cached_on_node
def _blocks(scope: ast.AST) -> tuple[list[ast.stmt], ...]:
    """The lists of statements in code."""
    found = (getattr(one, field, None) for one in walk(scope) for field in ("body", "orelse"))
    return tuple(one for one in found if isinstance(one, list))


def flags_of(function: FunctionValue) -> Iterator[Variant]:
    """The variants of the flags that a method reads, or a function tests: many functions only pass arguments on."""
    node = function.node
    read = names_read(node) if function.owner is not None else _names_tested(node) | _ranked(node)
    defaults = defaults_of(function)
    for one in parameters_of(node.args):
        if one.by_name and one.name in read:
            default = defaults.get(one.name, ABSENT)
            for value in _other_flags(function, one, default):
                yield Variant(function.closure.loaded, scope_of(function), one, default, value)


def _other_flags(function: FunctionValue, parameter: Parameter, default: Value | Absent) -> Iterator[Value]:
    if default is not ABSENT and default is not None and parameter.name in _compared_with_none(function.node):
        yield None
    if default is ABSENT:
        annotation = parameter.node.annotation
        if isinstance(annotation, ast.Name) and annotation.id == "bool":
            yield from (True, False)
    elif isinstance(default, bool):
        if parameter.name not in _given_as_sizes(function.node):
            yield not default
    elif isinstance(default, str):
        others = strings_compared(scope_of(function)).get(parameter.name, ())
        if default in others:
            yield from [one for one in others if one != default][:_MOST_STRINGS]
    else:
        yield from _other_numbers(function, parameter, default)


def _other_numbers(function: FunctionValue, parameter: Parameter, default: Value) -> Iterator[Value]:
    """A count of 2, a rate that is not 0, two numbers instead of one."""
    if type(default) is tuple:
        yield from (_TWO_ITEMS,) if default == _ONE_ITEM and parameter.name in _ranked(function.node) else ()
    elif type(default) in (int, float) and parameter.name in _counts_compared(scope_of(function)):
        if type(default) is int and default == 1:
            yield _COUNT
        if type(default) is float and default == 0:
            yield _RATE


def sizes_of(function: FunctionValue) -> Iterator[Variant]:
    """The variants of the sizes that a function reads, if the class has a layer with the same literal size.

    A class that is local to a function, or in a file of tests, has no users who could select another size.
    """
    if function.closure.parent is not None or _TESTS.search(function.closure.loaded.path.stem):
        return
    read = names_read(function.node)
    for parameter, default in defaulted(function):
        if type(default) is int and default in literal_sizes(scope_of(function)) and parameter.name in read:
            yield Variant(function.closure.loaded, scope_of(function), parameter, default, 2 * default)


def given_of(function: FunctionValue) -> Iterator[Variant]:
    """The variants in which an optional tensor is given, for the parameters that a function reads."""
    read = names_read(function.node)
    for parameter, default in defaulted(function):
        if default is None and parameter.name in read and _may_be_tensor(parameter.node.annotation):
            value = SymbolicArgument(parameter.name, excluded=frozenset((None,)))
            yield Variant(function.closure.loaded, scope_of(function), parameter, None, value)


def _may_be_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation, if there is one, is `Tensor`, or a union of it and None."""
    if annotation is None:
        return True
    if isinstance(annotation, ast.BinOp):
        return _are_tensors((annotation.left, annotation.right))
    if isinstance(annotation, ast.Subscript):
        items = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if last_name(annotation.value) in ("Optional", "Union"):
            return _are_tensors(items)
        return isinstance(items[-1], ast.Constant) and len(items) > 1 and _are_tensors(items[:1])
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return bool(_WRITTEN_TENSOR.fullmatch(annotation.value))
    return last_name(annotation).endswith("Tensor")


def _are_tensors(members: Iterable[ast.expr]) -> bool:
    """Whether the members of a union are tensors, and None."""
    kinds = [one for one in members if not (isinstance(one, ast.Constant) and one.value is None)]
    return bool(kinds) and all(map(_may_be_tensor, kinds))


def defaulted(function: FunctionValue) -> Iterator[tuple[Parameter, Value]]:
    """The parameters that have a default, with it."""
    defaults = defaults_of(function)
    for one in parameters_of(function.node.args):
        if one.by_name and one.name in defaults:
            yield one, defaults[one.name]


def scope_of(function: FunctionValue) -> ast.AST:
    """Where a parameter may be compared: in the class of a constructor, which stores it."""
    return function.node if function.owner is None else function.owner.node


@cached_on_node
def names_read(node: ast.AST) -> frozenset[str]:
    """The names that the code of a function or class reads."""
    return frozenset(one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


@cached_on_node
def raises(node: ast.AST) -> bool:
    """Whether code refuses something, such as two arguments that exclude each other."""
    return any(isinstance(one, ast.Raise) for one in walk(node))


@cached_on_node
def _names_tested(node: ast.AST) -> frozenset[str]:
    """The names in the conditions of a function."""
    tests = [one.test for one in walk(node) if isinstance(one, (ast.If, ast.IfExp))]
    return frozenset[str]().union(*map(names_read, tests))


@cached_on_node
def literal_sizes(node: ast.AST) -> frozenset[int]:
    """The literals that may be the input or output size of a layer: the first two arguments of calls."""
    calls = [one for one in walk(node) if isinstance(one, ast.Call)]
    sizes = [size for call in calls for size in call.args[:2]]
    sizes += [keyword.value for call in calls for keyword in call.keywords if keyword.arg in _SIZES]
    values = [one.value for one in sizes if isinstance(one, ast.Constant)]
    return frozenset(one for one in values if type(one) is int and one >= _SMALLEST_SIZE)


@cached_on_node
def _compared_with_none(node: ast.AST) -> frozenset[str]:
    """The variables of which a function tests whether they are None."""
    tests = [one for one in walk(node) if isinstance(one, ast.Compare) and isinstance(one.left, ast.Name)]
    tests = [one for one in tests if isinstance(one.ops[0], (ast.Is, ast.IsNot))]
    nones = [one for one in tests if isinstance(one.comparators[0], ast.Constant) and one.comparators[0].value is None]
    return frozenset(one.left.id for one in nones if isinstance(one.left, ast.Name))


@cached_on_node
def _given_as_sizes(node: ast.AST) -> frozenset[str]:
    """The variables that are sizes or axes of a tensor: where the default is False, there are none."""
    calls = [one for one in walk(node) if isinstance(one, ast.Call) and last_name(one.func) in _TAKE_SIZES]
    given = [arg.value if isinstance(arg, ast.Starred) else arg for one in calls for arg in one.args]
    return frozenset(one.id for one in given if isinstance(one, ast.Name))


@cached_on_node
def _counts_compared(node: ast.AST) -> frozenset[str]:
    """The variables and attributes that are compared as in `n > 1`."""
    compares = [one for one in walk(node) if isinstance(one, ast.Compare) and isinstance(one.ops[0], (ast.Gt, ast.GtE))]
    texts = [one for one in compares if isinstance(one.comparators[0], ast.Constant)]
    return frozenset(last_name(one.left) for one in texts)


@cached_on_node
def _ranked(node: ast.AST) -> frozenset[str]:
    """The variables that are passed to `max` and iterated, as the `topk` of `output.topk(max(topk))`."""
    calls = [one for one in walk(node) if isinstance(one, ast.Call) and last_name(one.func) == "max"]
    largest = {one.id for call in calls for one in call.args if isinstance(one, ast.Name) and len(call.args) == 1}
    loops = [one.iter for one in walk(node) if isinstance(one, (ast.For, ast.comprehension))]
    return frozenset(one.id for one in loops if isinstance(one, ast.Name) and one.id in largest)


@cached_on_node
def strings_compared(node: ast.AST) -> dict[str, tuple[str, ...]]:
    """The strings that a variable, or an attribute of this name, is compared with."""
    found: dict[str, dict[str, None]] = {}
    for one in walk(node):
        if isinstance(one, ast.Compare) and isinstance(one.left, (ast.Name, ast.Attribute)) and len(one.ops) == 1:
            name = one.left.id if isinstance(one.left, ast.Name) else one.left.attr
            found.setdefault(name, {}).update(dict.fromkeys(_strings(one.comparators[0])))
    return {name: tuple(texts) for name, texts in found.items()}


def _strings(node: ast.expr) -> Iterator[str]:
    for one in node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else (node,):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _mentions(node: ast.expr, name: str) -> bool:
    """Whether an expression reads a variable, or an attribute, of this name."""
    return any(
        (one.id if isinstance(one, ast.Name) else one.attr) == name
        for one in walk(node)
        if isinstance(one, (ast.Name, ast.Attribute))
    )


def _uses(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """Where a variable or attribute of this name is read, except where it is stored under its own name."""
    stored = {
        id(one.value)
        for one in walk(scope)
        if isinstance(one, ast.Assign) and all(getattr(target, "attr", "") == name for target in one.targets)
    }
    for one in walk(scope):
        if isinstance(one, (ast.Name, ast.Attribute)) and isinstance(one.ctx, ast.Load) and id(one) not in stored:
            read = one.id if isinstance(one, ast.Name) else one.attr
            yield from (one,) if read == name else ()


def constructor_of(cls: ClassValue) -> FunctionValue | None:
    """The `__init__` that a class uses, if the project defines it."""
    try:
        found = cls.lookup("__init__")
    except KeyError:
        return None
    return found if isinstance(found, FunctionValue) else None
