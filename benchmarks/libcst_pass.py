"""What a codemod on LibCST costs at least: parse every file and write it back from the tree, in N processes.

python -m benchmarks.libcst_pass DIRECTORY [--jobs N]
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import libcst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files = sorted(map(str, arguments.folder.rglob("*.py")))
    with ProcessPoolExecutor(arguments.jobs) as pool:
        same = sum(pool.map(round_trip, files, chunksize=16))
    print(f"{same} of {len(files)} files came back the same")


def round_trip(path: str) -> bool:
    """Whether the file comes back from LibCST as it was; False too where it does not parse."""
    source = Path(path).read_bytes()
    try:
        return libcst.parse_module(source).bytes == source
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        return False


if __name__ == "__main__":
    main()
