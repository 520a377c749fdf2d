"""Replaces libraries that are not installed by empty ones, so that models which only import them can run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_LIBRARIES = frozenset(
    """
    cv2 detectron2 einx ema_pytorch ftfy huggingface_hub loguru more_itertools numba panopticapi pycocotools regex
    safetensors scipy tiktoken timm torch_einops_utils torchvision tqdm transformers
    """.split()
)


class _Absent(ModuleType):
    """A module with any name in it: a class that does nothing."""

    __path__: list[str] = []
    __version__ = "0"

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {})
        setattr(self, name, made)
        return made


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        library, _, inner = fullname.partition(".")
        is_absent = library in _LIBRARIES and (not inner or isinstance(sys.modules.get(library), _Absent))
        return ModuleSpec(fullname, self) if is_absent else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def replace_absent_libraries() -> None:
    """Modules of these libraries that cannot be found are empty from now on."""
    sys.meta_path.append(_Finder())
