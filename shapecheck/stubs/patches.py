"""The differences between our stubs and torch's source, as data that `patching` applies.

A class here replaces the bases and the members it names in torch's class of that name. If torch's class has other bases
than expected here (`Generic` aside), torch has changed and its class is not patched.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Patch:
    """The change to one file: statements put behind its imports, class bodies, and a flag (see `flags`)."""

    head: str
    classes: str = ""
    flag: str = ""


_RESULT = '_R_co = TypeVar("_R_co", covariant=True, default=Any)'

# The item type of a list is inferred from its constructor and defaults to Module. It is covariant, and later additions
# may be any Module: of 1,801 lists built from items in nine repositories, none gets an item of another class later.
# A Sequential returns what its last module returns if that is visible (not for an OrderedDict or for
# `*layers, last, *more`), otherwise Any, as for subclasses and annotations.
_CONTAINERS = Patch(
    head=f"""\
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import Any, Generic, NoReturn
from typing_extensions import TypeVar, Unpack
from .module import HasForward
_M = TypeVar("_M", bound=Module)
_M_co = TypeVar("_M_co", bound=Module, covariant=True, default=Module)
{_RESULT}
""",
    classes="""\
class Sequential(Module, Generic[_R_co]):
    @overload
    def __init__(self, arg: HasForward[..., _R_co]) -> None: ...
    @overload
    def __init__(self, *args: Unpack[tuple[Unpack[tuple[Module, ...]], HasForward[..., _R_co]]]) -> None: ...
    @overload
    def __init__(self: Sequential[Any], arg: OrderedDict[str, _M]) -> None: ...
    @overload
    def __init__(self: Sequential[Any], *args: Module) -> None: ...
    @overload
    def __getitem__(self, idx: slice) -> Sequential: ...
    @overload
    def __getitem__(self, idx: int) -> Module: ...
    def forward(self, input: Any) -> _R_co: ...

class ModuleList(Module, Generic[_M_co]):
    def __init__(self, modules: Iterable[_M_co] | None = None) -> None: ...
    @overload
    def __getitem__(self, idx: slice) -> ModuleList[_M_co]: ...
    @overload
    def __getitem__(self, idx: int) -> _M_co: ...
    def __iter__(self) -> Iterator[_M_co]: ...

class ModuleDict(Module, Generic[_M_co]):
    def __init__(self, modules: Mapping[str, _M_co] | None = None) -> None: ...
    def __getitem__(self, key: str) -> _M_co: ...
    def pop(self, key: str) -> _M_co: ...
    def items(self) -> ItemsView[str, _M_co]: ...
    def values(self) -> ValuesView[_M_co]: ...

class ParameterList(Module):
    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn: ...

class ParameterDict(Module):
    def __call__(self, input: Any) -> NoReturn: ...
""",
)

_POOLING = Patch(
    head=f"from typing import Any, Generic, Literal, overload\nfrom typing_extensions import TypeVar\n{_RESULT}\n",
    classes="class _MaxPoolNd(Module):\n    stride: _size_any_t\n\n",
    flag="return_indices",
)

# Its forward has no result type, and pyright infers one from its body (RRef). It returns what its module returns.
_DISTRIBUTED = Patch(
    head="from collections.abc import Generator\nfrom typing import Any\nfrom typing_extensions import Self\n",
    classes="""\
class DistributedDataParallel(Module, Joinable):
    device_ids: list[int] | None
    output_device: int | None
    parameters_to_ignore: set[Any]
    bucket_bytes_cap: int
    reducer: dist.Reducer
    def forward(self, *inputs: Any, **kwargs: Any) -> Any: ...
""",
)

PATCHES = {
    PurePosixPath("nn/modules/container.py"): _CONTAINERS,
    PurePosixPath("nn/modules/pooling.py"): _POOLING,
    PurePosixPath("nn/parallel/distributed.py"): _DISTRIBUTED,
}
