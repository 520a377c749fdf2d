"""Writes the tables of README and docs from the figures of one machine, between their markers.

    python -m benchmarks.tables [--check]      # exit code 1 if something changes

A block starts with `<!-- table NAME -->` and ends with `<!-- /table NAME -->`; NAME is a function of this file.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.measure import ROOT
from benchmarks.ratios import Ratio, from_data
from benchmarks.registry import BENCHMARKS
from benchmarks.rivals.programs import probes

DOCUMENTED = ("intel-xeon-2-cores-linux", "amd-epyc-2-cores-linux")
"""The machines whose figures the pages show: of each benchmark those of the first that has run it."""
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
_BLOCK = re.compile(r"(<!-- table ([\w-]+) -->\n).*?(<!-- /table \2 -->)", re.DOTALL)
Document = Mapping[str, Any]


def ratios(document: Document) -> str:
    """Every figure with a target, by benchmark."""
    rows = [("benchmark", "figure", "value", "target", "", "machine")]
    for benchmark in BENCHMARKS:
        machine = document["benchmarks"].get(benchmark.name, {}).get("machine", "")
        for index, one in enumerate(_ratios(document, benchmark.name)):
            ends = ("", "") if index else (f"`{benchmark.name}`", machine)
            rows.append((ends[0], one.what, one.shown, one.wanted, "met" if one.met else "**missed**", ends[1]))
    return markdown(rows, "llrrll")


def commands(document: Document) -> str:
    """What each benchmark stands for, and its command."""
    rows = [("claim", "command", "minutes")]
    rows += [(one.claim, f"`{one.command}`", f"{one.minutes:g}") for one in BENCHMARKS]
    return markdown(rows, "llr")


HEADLINES = (
    ("fix", "TorchFix to fix, first", "`fix` on transformers: TorchFix takes so many times as long"),
    ("check", "check of nanoGPT/model.py to pyrefly, time", "`check` of one file, to Pyrefly's time"),
    ("check", "check of timm to pyrefly, time", "`check` of timm, to Pyrefly's time"),
    ("check", "check of timm to cold mypy, time", "the same, to mypy's time"),
    ("mypy_plugin", "mypy with the plugin on torchvision, warm cache, to mypy without", "the mypy plugin, to mypy"),
    ("runtime", "added cost of a checked call to jaxtyped(beartype)'s", "a checked call, to jaxtyping's with beartype"),
    ("runtime", "transformer with 30 checked calls to unchecked", "a transformer with 30 checked calls, to unchecked"),
    ("guards", "a guard around GPT, batch 4, 128 tokens to eager", "a guard around a GPT of 4x128 tokens, to eager"),
    ("harness", "Probe on GPT 4x128 to torchinfo, time each adds", "what watching a GPT adds, to torchinfo's"),
    ("mutations", "share of 100 planted mistakes found by one of the parts", "share found of 100 planted mistakes"),
    ("op_db", "calls of op_db answered as torch does, %", "calls of PyTorch's op_db that `infer` answers as torch, %"),
    ("op_db", "calls of op_db answered as torch does: wrong", "... and otherwise than torch"),
)  # fmt: skip
"""Of which benchmark, which figure, in which words, for the README."""


def headlines(document: Document) -> str:
    """The figures of the README."""
    rows = [("figure", "measured", "target", "command")]
    for benchmark, what, words in HEADLINES:
        for one in _ratios(document, benchmark):
            if one.what == what:
                missed = "" if one.met else " (missed)"
                rows.append((words, f"{one.shown}{missed}", one.wanted, f"`python -m benchmarks.{benchmark}`"))
    return markdown(rows, "lrrl")


def watching(document: Document) -> str:
    """The time of a watched forward, as a multiple of eager's: each model, each tool."""
    models = document["benchmarks"]["harness"]["figures"]["overhead"]
    tools = [name for name in next(iter(models.values()))["ratios"] if name != "eager"]
    rows = [("", *tools)]
    rows += [(model, *(f"{one['ratios'][tool]:.2f}" for tool in tools)) for model, one in models.items()]
    return markdown(rows, "l" + "r" * len(tools))


def rivals(document: Document) -> str:
    """Each tool on the pairs of `tests/cases`, and on the examples and their broken twins."""
    head = (
        "tool",
        "runs the program",
        "mistakes found",
        "on their line",
        "silent ones found",
        "right programs reported",
    )
    rows = [(*head, "seconds a program", "broken examples found", "right ones reported")]
    for name, one in _tools(document).items():
        if "unusable" in one:
            rows.append((name, f"does not work here: {one['unusable']}", *[""] * 7))
        else:
            rows.append((name, "yes" if one["runs"] else "no", *_on_pairs(one), *_on_twins(one)))
    return markdown(rows, "llrrrrrrr")


def _on_pairs(one: Document) -> tuple[str, ...]:
    if "pairs" not in one:
        return ("",) * 5
    score = one["pairs"]
    counts = (_of(score[key], score["pairs"]) for key in ("caught", "in_place"))
    silent = _of(score["silent_caught"], score["silent"])
    return (*counts, silent, _of(score["false"], score["pairs"]), f"{score['seconds']:.2g}")


def _on_twins(one: Document) -> tuple[str, ...]:
    return tuple(_of(one["twins"][key], one["twins"]["pairs"]) for key in ("caught", "false"))


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}"


def rivals_short(document: Document) -> str:
    """The same in fewer columns, for the README."""
    head = ("tool", "runs it", "mistakes found", "right programs reported")
    rows = [(*head, "twins found", "right ones reported", "questions with a yes")]
    for name, one in _tools(document).items():
        if "unusable" in one:
            rows.append((name, "does not work on this torch", *[""] * 5))
        else:
            yes = _of(sum(one["answers"].values()), len(one["answers"]))
            rows.append((name, "yes" if one["runs"] else "no", *_on_pairs(one)[0:4:3], *_on_twins(one), yes))
    return markdown(rows, "llrrrrr")


def features(document: Document) -> str:
    """Each question of the probes, and which tool says yes."""
    tools = {name: one for name, one in _tools(document).items() if "answers" in one}
    order = {probe.question: index for index, probe in enumerate(probes())}
    questions = sorted({question for one in tools.values() for question in one["answers"]}, key=order.__getitem__)
    rows: list[Sequence[str]] = [("", *tools)]
    rows += [
        (question, *("yes" if one["answers"].get(question) else "" for one in tools.values())) for question in questions
    ]
    return markdown(rows, "l" + "c" * len(tools))


def rival_versions(document: Document) -> str:
    """What was installed for each."""
    rows = [("tool", "installed")]
    for name, one in _tools(document).items():
        if one.get("versions"):
            rows.append((name, ", ".join(f"{package} {version}" for package, version in one["versions"].items())))
    return markdown(rows, "ll")


TABLES: dict[str, Callable[[Document], str]] = {
    "commands": commands,
    "ratios": ratios,
    "headlines": headlines,
    "watching": watching,
    "rivals": rivals,
    "rivals-short": rivals_short,
    "features": features,
    "rival-versions": rival_versions,
}


def documented() -> Document:
    """The figures that the pages show, each section with its machine."""
    sections: dict[str, Any] = {}
    for machine in DOCUMENTED:
        for name, section in store.load(store.results_file(machine))["benchmarks"].items():
            sections.setdefault(name, {**section, "machine": machine})
    return {"benchmarks": sections}


def _ratios(document: Document, benchmark: str) -> list[Ratio]:
    return from_data(document["benchmarks"].get(benchmark, {}))


def _tools(document: Document) -> dict[str, Any]:
    section = document["benchmarks"].get("rivals", {"figures": {"tools": {}}})
    return dict(section["figures"]["tools"])


_SIDES = {"l": "---", "r": "---:", "c": ":-:"}


def markdown(rows: Iterable[Sequence[str]], sides: str) -> str:
    """A table in Markdown; the first row is its head."""
    head, *body = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    lines = [head, [_SIDES[side] for side in sides], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewritten(text: str, document: Document) -> str:
    """The page with its blocks as the figures give them."""
    return _BLOCK.sub(lambda match: f"{match[1]}{TABLES[match[2]](document)}\n{match[3]}", text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    document = documented()
    changed = []
    for page in PAGES:
        before = page.read_text()
        after = rewritten(before, document)
        if after != before:
            changed.append(page)
            if not check:
                page.write_text(after)
            print(f"{'out of date' if check else 'written'}: {Path(page).relative_to(ROOT)}")
    return int(check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
