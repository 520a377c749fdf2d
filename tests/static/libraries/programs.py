"""A small library with the idioms of real ones, and the findings of programs that use it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.files import display_path
from shapecheck.static.entry.checker import Checker

LIBRARY = {
    "nets/__init__.py": """
        from .layers import *
        from .models import *
        from .models import create_model as create_model
        from . import functional
        """,
    "nets/layers.py": """
        import torch
        from torch import nn

        __all__ = ["Block", "Scale"]

        class Block(nn.Module):
            def __init__(self, inside, outside):
                super().__init__()
                self.conv = nn.Conv2d(inside, outside, 3, 2, 1)
                self.norm = nn.BatchNorm2d(outside)

            def forward(self, x):
                return torch.relu(self.norm(self.conv(x)))

        class Scale(nn.Module):
            def forward(self, x):
                return x * torch.ones(7)
        """,
    "nets/functional.py": """
        import torch

        def pooled(x, keep=False):
            return x.mean((2, 3), keepdim=keep)
        """,
    "nets/models/__init__.py": """
        from .wide import *
        from .broken import *
        from .factory import create_model
        """,
    "nets/models/registry.py": """
        _MODELS = {}

        def register_model(fn):
            _MODELS[fn.__name__] = fn
            return fn

        def entrypoint(name):
            if name not in _MODELS:
                raise RuntimeError(name)
            return _MODELS[name]
        """,
    "nets/models/factory.py": """
        import torch
        from .registry import entrypoint

        def create_model(name, pretrained=False, **kwargs):
            kwargs = {k: v for k, v in kwargs.items() if v is not None}
            return entrypoint(name.split(".")[0])(pretrained=pretrained, **kwargs)
        """,
    "nets/models/wrapping.py": """
        import functools
        import inspect

        def handles_legacy(**options):
            def outer(builder):
                names = tuple(inspect.signature(builder).parameters)

                @functools.wraps(builder)
                def inner(*args, **kwargs):
                    kwargs.update(zip(names, args))
                    return builder(**kwargs)

                return inner
            return outer
        """,
    "nets/models/wide.py": """
        import torch
        from torch import nn
        from ..layers import Block
        from .registry import register_model
        from .wrapping import handles_legacy

        __all__ = ["Wide", "wide8", "wide16"]

        try:
            from missing_kernels import fast_head
            has_fast_head = True
        except ImportError:
            has_fast_head = False

        class Wide(nn.Module):
            def __init__(self, width=8, num_classes=1000):
                super().__init__()
                self.width = width
                self.stem = Block(3, width)
                self.body = nn.Sequential(Block(width, 2 * width), Block(2 * width, 4 * width))
                self.num_features = 4 * width
                self.fc = nn.Linear(self.num_features, num_classes) if num_classes else nn.Identity()

            def forward_features(self, x):
                return self.body(self.stem(x))

            def reset_classifier(self, num_classes):
                self.fc = nn.Linear(self.num_features, num_classes)

            def forward(self, x):
                x = self.forward_features(x).mean((2, 3))
                return fast_head(self.fc, x) if has_fast_head else self.fc(x)

        @register_model
        def wide8(pretrained=False, **kwargs):
            return Wide(8, **kwargs)

        @register_model
        @handles_legacy(weights=("pretrained", None))
        def wide16(*, weights=None, **kwargs):
            return Wide(16, **kwargs)
        """,
    "nets/models/broken.py": """
        import torch
        from torch import nn

        __all__ = ["Broken", "Endless"]

        class Broken(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)
                self.bad = self.fc(torch.zeros(2, 5))

            def forward(self, x):
                y = x.sum() - torch.zeros(3, 1)
                return y + torch.zeros(3)

        class Endless(nn.Module):
            def __init__(self, depth=1000):
                super().__init__()
                layers = []
                for index in range(depth):
                    for inner in range(depth):
                        layers.append(nn.Linear(index + inner, inner + 2 * index))
                self.layers = nn.ModuleList(layers)
        """,
    "plain/__init__.py": """
        def head(size):
            return size + 1
        """,
}


def install(site: Path) -> Path:
    """Writes the library to a directory for installed libraries."""
    for name, text in LIBRARY.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return site


def findings(folder: Path, program: str, *, installed: bool = True) -> list[Diagnostic]:
    """The findings of a program next to which the library is installed."""
    path = folder / "program.py"
    path.write_text("import torch\nfrom torch import nn\n" + dedent(program))
    site = install(folder / "site") if installed else None
    checker = Checker([path], libraries=[] if site is None else [site])
    return checker.findings(path, {display_path(path)})


def revealed(folder: Path, program: str, *, installed: bool = True) -> list[str]:
    """What the program reveals, in the order of its lines; nothing else may be found."""
    found = sorted(findings(folder, "from shapecheck import reveal_shape\n" + dedent(program), installed=installed))
    assert {one.code for one in found} <= {"revealed-shape"}, [one.message for one in found]
    return [one.message.removeprefix("torch.float32 ") for one in found]
