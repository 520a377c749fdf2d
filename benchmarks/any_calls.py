"""Counts calls whose type is Any, as mypy sees a tree: of modules, and all.

Run in a process of its own by `real_repos`, for mypy keeps much memory and its plugin state:

    python -m benchmarks.any_calls ROOT --cache DIRECTORY [--plugin shapecheck.mypy] [--python EXE] [--files LIST]

The cache holds torch's interface, so that only the tree itself is checked; it is made when it is not there yet.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mypy import build
from mypy.errors import CompileError
from mypy.find_sources import create_source_list
from mypy.modulefinder import BuildSource
from mypy.nodes import CallExpr, Expression, MypyFile
from mypy.options import Options
from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type

from shapecheck.mypy.tree import children, has_children

MODULE = "torch.nn.modules.module.Module"
WARM_UP = "import torch\nimport torch.nn.functional\nimport torch.utils.data\nfrom torch import Tensor, nn\n"


@dataclass(slots=True)
class Count:
    """Calls in a tree."""

    module_calls: int = 0
    module_any: int = 0
    calls: int = 0
    any: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument(
        "--cache", type=Path, required=True, help="directory in which to keep torch's interface between runs"
    )
    parser.add_argument("--plugin", action="append", default=[])
    parser.add_argument("--python", default=sys.executable, help="interpreter whose site-packages are searched")
    parser.add_argument("--files", type=Path, help="a list of files, one per line; by default, all")
    arguments = parser.parse_args()
    os.chdir(arguments.root)
    files = arguments.files.read_text().splitlines() if arguments.files else ["."]
    with tempfile.TemporaryDirectory() as folder:
        options = _options(arguments.plugin, arguments.python)
        _warm_cache(arguments.cache, options)
        cache = Path(folder, "cache")
        shutil.copytree(arguments.cache, cache)
        options.cache_dir = str(cache)
        try:
            sources = create_source_list(files, options)
            result = build.build(sources, options)
        except CompileError as error:
            sys.exit("\n".join(error.messages[-5:]))
    count = Count()
    wanted = {os.path.relpath(source.path) for source in sources if source.path}
    for state in result.graph.values():
        if state.tree and state.path and os.path.relpath(state.path) in wanted:
            _add(state.tree, result.types, count)
    print(json.dumps({**asdict(count), "errors": len(result.errors)}))


def _options(plugins: Sequence[str], python: str) -> Options:
    options = Options()
    options.export_types = True
    options.preserve_asts = True
    options.check_untyped_defs = True
    options.ignore_missing_imports = True
    options.namespace_packages = True
    options.explicit_package_bases = True
    options.follow_imports = "silent"
    options.mypy_path = ["."]
    options.python_executable = python
    options.plugins = list(plugins)
    options.config_file = os.devnull  # without one mypy loads no plugin
    return options


def _warm_cache(cache: Path, options: Options) -> None:
    if cache.exists():
        return
    options.cache_dir = str(cache)
    build.build([BuildSource(None, "_warm_up", WARM_UP)], options)


def _add(tree: MypyFile, types: dict[Expression, Type], count: Count) -> None:
    """Add the calls of one file; those in decorators, defaults and code that mypy does not reach are left out."""
    waiting = has_children(tree.defs)
    while waiting:
        node = waiting.pop()
        waiting += children(node)
        if isinstance(node, CallExpr) and (result := types.get(node)) is not None:
            unknown = isinstance(get_proper_type(result), AnyType)
            count.calls += 1
            count.any += unknown
            callee = types.get(node.callee)
            if callee is not None and _is_module(callee):
                count.module_calls += 1
                count.module_any += unknown


def _is_module(callee: Type) -> bool:
    proper = get_proper_type(callee)
    if isinstance(proper, UnionType):
        return any(_is_module(item) for item in proper.items)
    return isinstance(proper, Instance) and proper.type.has_base(MODULE)


if __name__ == "__main__":
    main()
