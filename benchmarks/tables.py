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
    """The claim of each benchmark, and its command."""
    rows = [("claim", "command", "minutes")]
    rows += [(one.claim, f"`{one.command}`", f"{one.minutes:g}") for one in BENCHMARKS]
    return markdown(rows, "llr")


HEADLINES = (
    ("check", "check of nanoGPT/model.py relative to pyrefly, time", "`check` of one file, relative to Pyrefly"),
    ("check", "check of timm relative to pyrefly, time", "`check` of timm, relative to Pyrefly"),
    ("check", "check of timm relative to cold mypy, time", "`check` of timm, relative to mypy without a cache"),
    ("fix", "TorchFix relative to fix, first", "TorchFix on transformers, relative to `fix`"),
    (
        "mypy_plugin",
        "mypy with the plugin on torchvision, warm cache, relative to mypy without it",
        "mypy with the plugin on torchvision, relative to mypy without it",
    ),
    (
        "runtime",
        "added cost of a checked call, relative to jaxtyped(beartype)",
        "cost of a checked call, relative to jaxtyping with beartype",
    ),
    (
        "runtime",
        "transformer with 30 checked calls, relative to unchecked",
        "a transformer with 30 checked calls, relative to unchecked",
    ),
    (
        "guards",
        "a guard around GPT, batch 4, 128 tokens, relative to eager",
        "a GPT in a guard, 4x128 tokens, relative to eager",
    ),
    (
        "harness",
        "time that Probe adds on GPT 4x128, relative to torchinfo",
        "time that observing a GPT adds, relative to torchinfo",
    ),
    (
        "mutations",
        "share of 100 planted errors found by at least one part",
        "share of 100 planted errors that are found",
    ),
    (
        "op_db",
        "calls of op_db with the same result as torch, %",
        "calls of PyTorch's op_db for which `infer` gives torch's result, %",
    ),
    ("op_db", "calls of op_db with the same result as torch: wrong", "... for which it gives a wrong result"),
)
"""The benchmark, the figure and its description, for the first table of docs/benchmarks.md."""


def headlines(document: Document) -> str:
    """The most important figures."""
    rows = [("figure", "measured", "target", "command")]
    for benchmark, what, words in HEADLINES:
        for one in _ratios(document, benchmark):
            if one.what == what:
                missed = "" if one.met else " (missed)"
                rows.append((words, f"{one.shown}{missed}", one.wanted, f"`python -m benchmarks.{benchmark}`"))
    return markdown(rows, "lrrl")


def watching(document: Document) -> str:
    """The time of an observed forward pass, as a multiple of eager's: each model, each tool."""
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
        "errors found",
        "on the right line",
        "silent errors found",
        "correct programs reported",
    )
    rows = [(*head, "seconds per program", "broken examples found", "correct examples reported")]
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


SHORT = {
    "shapecheck check": "`shapecheck check`",
    "Pyrefly with @static_jaxtyping": "Pyrefly with `@static_jaxtyping`",
    "TorchShapeFlow": "TorchShapeFlow",
    "jaxtyping + beartype": "jaxtyping with beartype (runs the programs that have annotations)",
}
"""The tools of the README's table, and what it calls them."""


def rivals_short(document: Document) -> str:
    """Errors found and correct programs reported by a few of the tools, for the README."""
    tools = _tools(document)
    rows = [("", "Errors found", "Correct programs reported")]
    rows += [(label, *_on_pairs(tools[name])[0:4:3]) for name, label in SHORT.items() if name in tools]
    return markdown(rows, "lrr")


def features(document: Document) -> str:
    """Each question of the probes, and the tools that pass."""
    tools = {name: one for name, one in _tools(document).items() if "answers" in one}
    order = {probe.question: index for index, probe in enumerate(probes())}
    questions = sorted({question for one in tools.values() for question in one["answers"]}, key=order.__getitem__)
    rows: list[Sequence[str]] = [("", *tools)]
    rows += [
        (question, *("yes" if one["answers"].get(question) else "" for one in tools.values())) for question in questions
    ]
    return markdown(rows, "l" + "c" * len(tools))


def rival_versions(document: Document) -> str:
    """The installed versions."""
    rows = [("tool", "installed")]
    for name, one in _tools(document).items():
        if one.get("versions"):
            rows.append((name, ", ".join(f"{package} {version}" for package, version in one["versions"].items())))
    return markdown(rows, "ll")


def editor_answers(document: Document) -> str:
    """What each language server shows of ten lines: its hints, hovers and diagnostics."""
    parts = []
    for name, one in _figures(document, "editor_answers").get("servers", {}).items():
        title = f"**{name}** {one['version']}"
        if "silent" in one:
            parts.append(f"{title}: {one['silent']}")
            continue
        hovers = ", ".join(f"`{what}`: {f'`{text}`' if text else 'nothing'}" for what, text in one["hover"].items())
        found = [f"line {error['line']}: {error['message']}" for error in one["errors"]]
        counts = [f"{number} of severity {severity}" for severity, number in one["counts"].items()]
        said = "; ".join([*found, *(counts if name != "shapecheck" else [])]) or "none"
        lines = "\n".join(one["lines"])
        parts.append(f"{title}. Hover on {hovers}. Diagnostics: {said}\n\n```text\n{lines}\n```")
    return "\n\n".join(parts)


def editor_times(document: Document) -> str:
    """The seconds of each language server, in each file."""
    rows = [("file", "lines", "server", "first diagnostics", "median", "p95", "hints")]
    for file, one in _figures(document, "editor").get("files", {}).items():
        for name, found in one["servers"].items():
            times = [f"{found[key]:.2f} s" for key in ("cold", "median", "p95") if key in found]
            shown = (*times, str(found["hints"])) if times else (found["silent"], "", "", "")
            rows.append((f"`{file}`", str(one["lines"]), name, *shown))
    return markdown(rows, "lrlrrrr")


TABLES: dict[str, Callable[[Document], str]] = {
    "commands": commands,
    "ratios": ratios,
    "headlines": headlines,
    "watching": watching,
    "rivals": rivals,
    "rivals-short": rivals_short,
    "features": features,
    "rival-versions": rival_versions,
    "editor-answers": editor_answers,
    "editor-times": editor_times,
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


def _figures(document: Document, benchmark: str) -> dict[str, Any]:
    return dict(document["benchmarks"].get(benchmark, {"figures": {}})["figures"])


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
