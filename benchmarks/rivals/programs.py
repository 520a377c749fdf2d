"""Pairs of programs, one with an error and one without: `tests/cases`, the broken examples, and the probes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT

PROBES = Path(__file__).parent / "probes"
MODELS = {
    "cruncher": "Cruncher() x=4x16",
    "gpt": "GPT(Config()) ids=long:2x11:65",
    "llama_70b": "Llama(Config()) ids=long:2x13:128",
    "lstm_tagger": "Tagger() words=long:3x9:50",
    "resnet": "ResNet() 4x3x20x20",
    "unet": "UNet() 2x3x21x32",
    "vae": "ELBO() logits=3x1x8x8,images=3x1x8x8,mean=3x6,log_variance=3x6",
    "vit": "ViT(Config()) 2x3x16x24",
}
"""How pytest-torch is to build the model of an example, and its inputs, which it cannot infer from annotations."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sources, and the lines of the first in which the mistake may be reported."""

    name: str
    wrong: str
    right: str
    lines: frozenset[int]
    silent: bool = False
    """It runs without an error."""


def cases(folder: Path = ROOT / "tests" / "cases") -> list[Pair]:
    """The pairs of the test suite, or of another directory of the same form."""
    return [_case(path) for path in sorted(folder.glob("*/case.json"))]


def _case(path: Path) -> Pair:
    known = json.loads(path.read_text())
    wrong, right = ((path.parent / f"{name}.py").read_text() for name in ("bug", "ok"))
    lines = frozenset((known["line"], *known["also_lines"]))
    return Pair(path.parent.name, wrong, right, lines, known["symptom"] == "silent")


def twins() -> list[Pair]:
    """The examples and their broken twins, which say how pytest-torch is to build them."""
    found = []
    for name, model in MODELS.items():
        wrong, right = ((ROOT / "examples" / folder / f"{name}.py").read_text() for folder in ("broken", "."))
        lines = frozenset(n for n, line in enumerate(wrong.splitlines(), 1) if "# planted: " in line)
        found.append(Pair(name, f"{wrong}# pytest-torch: {model}\n", f"{right}# pytest-torch: {model}\n", lines, True))
    return found


@dataclass(frozen=True, slots=True)
class Probe:
    """A question to a tool: does it report the first program of the pair and not the second?"""

    question: str
    pair: Pair
    names: str = ""
    """The report is to hold this word for the question to be answered with yes."""


_ASKED = re.compile(r"^# asks: (.*?)(?: \| names: (\w+))?$", re.MULTILINE)
_PLANTED = re.compile(r"^( *)\S.*?  # planted; right: (.*)$", re.MULTILINE)


def probes(folder: Path = PROBES) -> list[Probe]:
    """Each file asks the questions of its first lines; `# planted; right: CODE` holds the line without the mistake."""
    return [probe for path in sorted(folder.glob("*.py")) for probe in _probes(path)]


def _probes(path: Path) -> Iterator[Probe]:
    wrong = path.read_text()
    right = _PLANTED.sub(r"\1\2", wrong)
    lines = frozenset(wrong[: match.start()].count("\n") + 1 for match in _PLANTED.finditer(wrong))
    for question, names in _ASKED.findall(wrong):
        yield Probe(question, Pair(path.stem, wrong, right, lines), names)


def written(pairs: Sequence[Pair], root: Path) -> dict[str, tuple[Path, Path]]:
    """Writes each pair as NAME/bug.py and NAME/ok.py; the paths, by name."""
    places = {}
    for pair in pairs:
        folder = root / pair.name
        folder.mkdir(parents=True, exist_ok=True)
        places[pair.name] = (folder / "bug.py", folder / "ok.py")
        for path, source in zip(places[pair.name], (pair.wrong, pair.right), strict=True):
            path.write_text(source)
    return places
