"""Markdown for the comment on a pull request: the findings of each file with their source lines.

Everything that comes from the program or a message is in code, where no character has a meaning: `@name` mentions no
one, `#1` links nothing. The text begins with a mark that a workflow can look for, to replace its earlier comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import TextIO, cast

from shapecheck.diagnostics.checkout import file_of, link, path_in_checkout, with_slashes
from shapecheck.diagnostics.counts import counted, counted_severities, listed
from shapecheck.diagnostics.marked import marked_part
from shapecheck.diagnostics.model import Diagnostic, Note

MARK = "<!-- shapecheck -->"
LIMIT = 65_536
"""Characters of a comment on GitHub."""
_RESERVED = 1_000
"""Characters for the last lines."""
_LONGEST_LINE = 160
_LONGEST_MESSAGE = 1_000
_MOST_NOTES = 20
_MOST_NAMES = 3
_Lines = Mapping[str, Mapping[int, str]]


def render(diagnostics: Iterable[Diagnostic], stream: TextIO, extra: Mapping[str, object]) -> None:
    """Write the comment; `extra` may have `lines`, the source lines by path and number, `overview`, and `summary`."""
    found = list(diagnostics)
    summary = cast(Mapping[str, object], extra.get("summary", {}))
    rows = cast(Sequence[str], extra.get("overview", ()))
    overview = "\n".join(["", *rows, ""]) if rows else ""
    title = f"{MARK}\n### {_title(found, summary)}\n{overview}"
    blocks = list(_blocks(found, cast(_Lines, extra.get("lines", {}))))
    sizes = accumulate(map(len, blocks), initial=len(title))
    shown = len(list(takewhile(lambda size: size <= LIMIT - _RESERVED, sizes))) - 1
    stream.writelines([title, *blocks[:shown]])
    stream.writelines(f"\n{line}\n" for line in _last_lines(len(found) - shown, summary))


def _title(found: Sequence[Diagnostic], summary: Mapping[str, object]) -> str:
    new = "new " if "baseline" in summary else ""
    if not found:
        return f"shapecheck: no {new}findings"
    counts = counted_severities(Counter(one.severity.value for one in found))
    files = counted(len({file_of(one.path) for one in found}), "file")
    return f"shapecheck: {counted(len(found), f'{new}finding')} ({counts} in {files})"


def _blocks(found: Iterable[Diagnostic], lines: _Lines) -> Iterator[str]:
    """The text of each finding; that of the first one in a file begins with the path."""
    by_path: dict[str, list[Diagnostic]] = {}
    for one in found:
        by_path.setdefault(one.path, []).append(one)
    for path, of_file in by_path.items():
        heading = f"\n#### {_code(with_slashes(path_in_checkout(path)))}\n"
        for one in of_file:
            yield heading + _finding(one, lines.get(path, {}))
            heading = ""


def _finding(one: Diagnostic, lines: Mapping[int, str]) -> str:
    case = f" in {_code(one.case)}" if one.case else ""
    place = _place(one.path, one.line, f"line {one.line:,}")
    said = f"\n**{one.severity.value}** {place}{case} {_code(one.code)}: {_code(one.message)}\n"
    return said + _excerpt(one, lines) + _notes(one.notes)


def _place(path: str, line: int, text: str) -> str:
    address = link(path, line)
    return f"[{text}]({address})" if address else text


def _excerpt(one: Diagnostic, lines: Mapping[int, str]) -> str:
    """The lines of a finding in a block, with a mark below if it is in one line."""
    shown = {number: lines[number] for number in range(one.line, one.end_line + 1) if number in lines}
    if not shown:
        return ""
    indent = min(len(text) - len(text.lstrip()) for text in shown.values())
    width = len(str(max(shown)))
    rows = [f"{number:>{width}} | {_cut(text[indent:], _LONGEST_LINE)}" for number, text in shown.items()]
    if one.end_line == one.line:
        start, end = (min(at, indent + _LONGEST_LINE) for at in marked_part(one, shown[one.line]))
        before = re.sub(r"[^\t]", " ", shown[one.line][indent:start])
        rows.append(f"{' ' * width} | {before}{'^' * max(end - start, 1)}")
    elif max(shown) < one.end_line:
        rows.append(f"{' ' * width} | ...")
    fence = "`" * max(3, _longest_run("".join(rows)) + 1)
    return "\n".join(["", fence, *rows, fence, ""])


def _notes(notes: Sequence[Note]) -> str:
    """The notes, which a click shows."""
    if not notes:
        return ""
    rows = [f"- {_code(_position(note))}: {_code(note.message)}" for note in notes[:_MOST_NOTES]]
    if len(notes) > _MOST_NOTES:
        rows.append(f"- {len(notes) - _MOST_NOTES:,} more")
    return "\n".join(
        ["", f"<details><summary>{counted(len(notes), 'note')}</summary>", "", *rows, "", "</details>", ""]
    )


def _position(note: Note) -> str:
    return f"{with_slashes(path_in_checkout(note.path))}:{note.line}"


def _last_lines(left: int, summary: Mapping[str, object]) -> Iterator[str]:
    if left:
        yield f"**Not shown: {counted(left, 'more finding')}**, because a comment has at most {LIMIT:,} characters."
    known = cast(Mapping[str, int], summary.get("baseline", {})).get("known", 0)
    if known:
        yield f"Suppressed by the baseline: {counted(known, 'finding')}."
    if stopped := cast(Sequence[str], summary.get("cut short", ())):
        names = [_code(_cut(with_slashes(path), _LONGEST_LINE)) for path in stopped[:_MOST_NAMES]]
        more = [f"{len(stopped) - _MOST_NAMES:,} more"] if len(stopped) > _MOST_NAMES else []
        yield f"Stopped early, after too many steps: {listed([*names, *more])}."


def _code(text: str) -> str:
    """The text as code in a line, whatever is in it."""
    text = _cut(re.sub(r"\s*[\r\n]\s*", " ", text), _LONGEST_MESSAGE)
    fence = "`" * (_longest_run(text) + 1)
    space = " " if not text.strip() or "`" in (text[0], text[-1]) or text[0] == text[-1] == " " else ""
    return f"{fence}{space}{text}{space}{fence}"


def _longest_run(text: str) -> int:
    """The length of the longest run of backquotes."""
    return max(map(len, re.findall("`+", text)), default=0)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
