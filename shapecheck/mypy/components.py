"""Strongly connected components of a graph in dependency order (Tarjan's algorithm)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator


def components(start: str, successors: Callable[[str], Iterable[str]], done: Container[str]) -> Iterator[list[str]]:
    """The components that `start` reaches and that are not `done`; the caller must mark the members of each as done."""
    number = {start: 0}
    lowest = {start: 0}
    stack = [start]
    path = [(start, iter(successors(start)))]
    while path:
        node, rest = path[-1]
        for one in rest:
            if one in done:
                continue
            if one not in number:
                number[one] = lowest[one] = len(number)
                stack.append(one)
                path.append((one, iter(successors(one))))
                break
            lowest[node] = min(lowest[node], number[one])
        else:
            path.pop()
            if path:
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == number[node]:
                place = stack.index(node)
                yield stack[place:]
                del stack[place:]
