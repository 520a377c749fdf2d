import sys


def main() -> int:
    print("nothing here", file=sys.stderr)
    return 0
