"""Children, key and rebuilding of every kind of value."""

from __future__ import annotations

import ast
import pkgutil
from collections import namedtuple
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shapecheck.static
from shapecheck.ops import ModuleSpec, Other, Unknown
from shapecheck.ops.modules.linear import Linear
from shapecheck.ops.shared.named import NamedResult
from shapecheck.spec import Dim, DType, Shape, TensorSpec, as_dtype, axis
from shapecheck.static.contracts.instantiation import AxisInstances
from shapecheck.static.domain.abstract_values import ABSENT, Absent, AbstractValue, Value
from shapecheck.static.domain.alternatives import Alternatives, MaybeAbsent, Never, NoReturn, OpenShape
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.distributions import DistributionSpec
from shapecheck.static.domain.fingerprints import NotMemoizable, copied, fingerprint
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.fractions import SizeFraction
from shapecheck.static.domain.join import join, same_value
from shapecheck.static.domain.library_registry import LibraryRegistry
from shapecheck.static.domain.objects import (
    AttributeNamespace,
    ClassValue,
    Collection,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    ModuleContainer,
    Namespace,
    Object,
    SetValue,
    Shared,
    SymbolicInstance,
)
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.partly_known import PartlyKnown
from shapecheck.static.domain.structure import children, key, rebuild
from shapecheck.static.domain.summary_collections import summary_dict, summary_layers, summary_list
from shapecheck.static.domain.symbolic_argument import ArgumentPart, SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.domain.values import (
    BuiltinMethod,
    DataLoader,
    DatasetPart,
    DefaultFactory,
    EnumMember,
    ExternalReference,
    LateName,
    Method,
    NamedTupleClass,
    OpaqueInstance,
    Partial,
    SliceWindow,
    SummarySequence,
    SuperProxy,
    TensorDataset,
    TypeAlias,
    TypeOf,
)
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.path_constraints import NOTHING, KnownFacts, KnownRanks, PathConstraints
from shapecheck.static.engine.rank_facts import NO_RANKS
from shapecheck.static.models.python.argument_parser import Parser

_TREE = ast.parse("class Block: pass\nlambda x: x")
_MODULE = Namespace(SourceModule(Path("m.py"), "m", _TREE, "", is_package=False))
_INNER = Namespace(_MODULE.loaded, _MODULE)
_CLASS_NODE, _LAMBDA_NODE = _TREE.body[0], _TREE.body[1].value  # type: ignore[attr-defined]
_CLASS = ClassValue(_CLASS_NODE, _MODULE, ())  # type: ignore[arg-type]
_FUNCTIONS = [FunctionValue(_LAMBDA_NODE, names, (), ()) for names in (_MODULE, _INNER)]
_PROMISE = AxisInstances("scope")
_Pair = namedtuple("_Pair", "first second")
_KEYS = st.one_of(st.text(max_size=2), st.integers(0, 3))

_SIZES = st.one_of(st.integers(0, 3), st.sampled_from([axis("b"), axis("n")]))
_SHAPES = st.builds(lambda sizes: Shape(tuple(sizes)), st.lists(_SIZES, max_size=3))
_TENSORS = st.builds(TensorSpec, _SHAPES, st.sampled_from([None, as_dtype("float32")]))

_LEAVES: dict[type, st.SearchStrategy[Value]] = {
    bool: st.booleans(),
    int: st.integers(0, 3),
    float: st.floats(0, 3),
    complex: st.complex_numbers(max_magnitude=2),
    str: st.text(max_size=2),
    bytes: st.binary(max_size=2),
    type(...): st.just(...),
    range: st.builds(range, st.integers(0, 3)),
    Dim: st.sampled_from([axis("b"), axis("n")]),
    DType: st.sampled_from([as_dtype("float32"), as_dtype("int64")]),
    TensorSpec: _TENSORS,
    ModuleSpec: st.builds(Linear, st.integers(1, 3), st.integers(1, 3)),
    Unknown: st.builds(Unknown, st.text(max_size=1)),
    Other: st.builds(Other, st.sampled_from(["a device", "a context manager"])),
    type(None): st.none(),
    Absent: st.just(ABSENT),
    Never: st.builds(Never),
    NoReturn: st.builds(NoReturn),
    OpenShape: st.builds(OpenShape, _TENSORS),
    OpenSizes: st.builds(OpenSizes, _TENSORS),
    UnknownFloat: st.builds(UnknownFloat),
    UnsetArgument: st.builds(UnsetArgument, st.sampled_from(["hidden", "scale"])),
    SizeFraction: st.builds(SizeFraction, _SIZES, st.integers(1, 3)),
    SymbolicArgument: st.builds(SymbolicArgument, st.sampled_from("xy")),
    ArgumentPart: st.builds(ArgumentPart, st.builds(SymbolicArgument, st.sampled_from("xy"))),
    PartlyKnown: st.builds(
        PartlyKnown, st.frozensets(st.sampled_from("ab")), is_text=st.booleans(), start=st.just(""), end=st.just("")
    ),
    ArraySpec: st.builds(ArraySpec, _TENSORS),
    DistributionSpec: st.builds(lambda batch: DistributionSpec("Normal", batch, Shape(()), None, None), _SHAPES),
    ExternalReference: st.builds(ExternalReference, st.sampled_from(["math.sqrt", "torch.cat"])),
    NamedTupleClass: st.just(NamedTupleClass(_Pair)),
    OpaqueInstance: st.builds(OpaqueInstance, st.sampled_from([_CLASS, "gym.spaces.Box"])),
    EnumMember: st.builds(lambda name: EnumMember(_CLASS, name, 1), st.sampled_from(["A", "B"])),
    TypeAlias: st.builds(lambda: TypeAlias(_LAMBDA_NODE, _MODULE)),
    LibraryRegistry: st.builds(lambda: LibraryRegistry(_MODULE.loaded)),
    LateName: st.builds(lambda name: LateName(_MODULE, name), st.sampled_from("xy")),
    Namespace: st.sampled_from([_MODULE, _INNER]),
    ClassValue: st.just(_CLASS),
    FunctionValue: st.sampled_from(_FUNCTIONS),
    PathConstraints: st.builds(PathConstraints),
    KnownFacts: st.just(KnownFacts(NOTHING)),
    KnownRanks: st.just(KnownRanks(NO_RANKS)),
}
_Values = st.SearchStrategy[Value]


def _filled(made: Callable[[], Object]) -> Callable[[dict[str, Value]], Value]:
    def build(fields: dict[str, Value]) -> Value:
        built = made()
        built.fields.update(fields)
        return built

    return build


def _composite(values: _Values) -> dict[type, _Values]:
    several = st.lists(values, max_size=3).map(tuple)
    named = st.dictionaries(st.sampled_from("abc"), values, max_size=3)
    keyed = st.dictionaries(_KEYS, values, max_size=3)
    return {
        tuple: st.one_of(
            several, st.builds(_Pair, values, values), named.map(lambda parts: NamedResult(**parts) if parts else ())
        ),
        dict: keyed,
        slice: st.builds(slice, values, values, values),
        Alternatives: st.lists(values, min_size=2, max_size=3).map(lambda members: Alternatives(tuple(members))),
        MaybeAbsent: st.builds(MaybeAbsent, values),
        DefaultFactory: st.builds(DefaultFactory, values),
        TypeOf: st.builds(TypeOf, values),
        Method: st.builds(Method, st.sampled_from(_FUNCTIONS), values),
        BuiltinMethod: st.builds(BuiltinMethod, values, st.sampled_from(["append", "view"])),
        TensorDataset: st.lists(_TENSORS, max_size=2).map(lambda tensors: TensorDataset(tuple(tensors))),
        DataLoader: st.builds(DataLoader, several),
        DatasetPart: st.builds(DatasetPart, values, values),
        Partial: st.builds(Partial, values, several, named),
        SuperProxy: st.builds(lambda: SuperProxy(_CLASS, Instance(_CLASS))),
        SliceWindow: st.builds(SliceWindow, values),
        SummarySequence: st.builds(SummarySequence, values, st.booleans(), are_alike=st.booleans()),
        ListValue: st.one_of(st.builds(ListValue, several), st.builds(summary_list, values)),
        DictValue: st.one_of(st.builds(DictValue, keyed), st.builds(summary_dict, values)),
        SetValue: st.builds(SetValue, several),
        ModuleContainer: st.one_of(
            st.builds(ModuleContainer, st.just("ModuleDict"), named), st.builds(summary_layers, values)
        ),
        Instance: named.map(_filled(lambda: Instance(_CLASS))),
        SymbolicInstance: named.map(_filled(lambda: SymbolicInstance(_CLASS, _PROMISE))),
        AttributeNamespace: named.map(_filled(AttributeNamespace)),
        Parser: named.map(_filled(Parser)),
    }


_BASES = {AbstractValue, Object, Shared, Collection}
_ANY = st.recursive(st.one_of(*_LEAVES.values()), lambda some: st.one_of(*_composite(some).values()), max_leaves=6)
_STRATEGIES = {**_LEAVES, **_composite(_ANY)}


def _kinds(base: type) -> set[type]:
    return {base}.union(*map(_kinds, base.__subclasses__()))


def test_every_kind_of_value_has_a_strategy() -> None:
    for found in pkgutil.walk_packages(shapecheck.static.__path__, "shapecheck.static."):
        import_module(found.name)
    ours = {kind for kind in _kinds(AbstractValue) if kind.__module__.startswith("shapecheck.")}
    native = {getattr(kind, "__origin__", kind) for kind in get_args(Value)}
    assert _STRATEGIES.keys() == (ours | native) - _BASES


@pytest.mark.parametrize("kind", _STRATEGIES, ids=lambda kind: kind.__name__)
def test_a_value_rebuilt_of_its_children_is_the_same(kind: type) -> None:
    @settings(max_examples=30, deadline=None)
    @given(_STRATEGIES[kind])
    def holds(value: Value) -> None:
        parts = children(value)
        again = rebuild(value, parts)
        assert type(again) is type(value)
        assert key(again) == key(value)
        assert hash(key(again)) == hash(key(value))
        assert all(one is other for one, other in zip(children(again), parts, strict=True))

    holds()


@given(_ANY, _ANY)
def test_a_value_rebuilt_of_other_children_has_those(value: Value, other: Value) -> None:
    parts = children(value)
    if isinstance(value, (dict, DictValue, ModuleContainer)) or not parts:
        return
    changed = rebuild(value, (other, *parts[1:]))
    assert children(changed)[0] is other
    assert all(one is before for one, before in zip(children(changed)[1:], parts[1:], strict=True))


@given(_ANY, _ANY)
def test_equal_keys_and_children_are_no_other_value(one: Value, other: Value) -> None:
    if same_value(one, other):
        assert _flat(one) == _flat(other)


def _flat(value: Value) -> object:
    if isinstance(value, Alternatives):  # in any order
        return Alternatives, frozenset(map(_flat, value.members))
    return key(value), tuple(map(_flat, children(value)))


@given(_ANY)
def test_a_copy_has_the_fingerprint_of_what_it_is_a_copy_of(value: Value) -> None:
    try:
        before, objects = fingerprint(value)
        again = copied(value, {}, None)
    except NotMemoizable:
        return
    after, copies = fingerprint(again)
    assert before == after
    assert len(objects) == len(copies)
    assert not objects.keys() & copies.keys()


@given(_ANY)
def test_what_holds_of_a_value_and_itself_is_the_value(value: Value) -> None:
    assert join(value, value) is value


def test_what_the_state_of_a_function_may_change_is_not_memoized() -> None:
    fingerprint(_FUNCTIONS[0])
    for value in (_INNER, _MODULE, TypeAlias(_LAMBDA_NODE, _MODULE)):
        with pytest.raises(NotMemoizable):
            fingerprint(value)


def _nested(code: ast.Lambda, held: Value, default: Value = 0) -> FunctionValue:
    return FunctionValue(code, Namespace(_MODULE.loaded, _MODULE, {"held": held, "other": Unknown("")}), (default,), ())


def test_a_nested_function_is_identified_by_its_code_and_what_it_reads() -> None:
    code, same_text = (ast.parse("lambda x=0: held + x", mode="eval").body for _ in range(2))
    assert isinstance(code, ast.Lambda)
    assert isinstance(same_text, ast.Lambda)
    keys = [tuple(fingerprint(one)[0]) for one in (_nested(code, 1), _nested(code, 1))]
    assert keys[0] == keys[1]
    for other in (_nested(same_text, 1), _nested(code, 2), _nested(code, 1, 3)):
        assert tuple(fingerprint(other)[0]) != keys[0]


def test_a_copy_refers_to_the_nested_function_of_the_new_call() -> None:
    code = ast.parse("lambda x=0: held + x", mode="eval").body
    assert isinstance(code, ast.Lambda)
    one, other = _nested(code, 1), _nested(code, 1)
    assert copied((one, 1), {one: other}, None) == (other, 1)
    with pytest.raises(NotMemoizable):
        copied((one, 1), {}, None)


def test_numbers_of_different_kinds_have_different_keys() -> None:
    assert len({key(one) for one in (1, True, 1.0, 1 + 0j)}) == 4


def test_an_internal_field_is_no_attribute_of_the_same_name() -> None:
    made = ListValue((1,))
    made.fields["items"] = 2
    assert made.items == (1,)
    assert children(made) == (1, 2)
