"""What the server and its worker process send to each other: one JSON object per line."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, json

from shapecheck.diagnostics import Diagnostic
from shapecheck.editing.hint import Hint


class Text(Struct, tag=True):
    """The text of an open document; None if it is closed."""

    path: str
    text: str | None = None


class CheckRequest(Struct, tag=True):
    """Asks for a report about a document; answered with a `Report`."""

    id: int
    path: str
    is_quick: bool = False
    """Whether what other files have from this one may be as of an earlier report."""


class Question(Struct, tag=True):
    """Asks `worker.questions.<topic>` about a range of a document; answered with an `Answer`."""

    id: int
    topic: str
    path: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    about: dict[str, Any] = {}


class Changed(Struct, tag=True):
    """Files on disk have changed, or the configuration."""

    paths: list[str] = []


Request = Text | CheckRequest | Question | Changed


class Model(Struct):
    """A class that is a module: its name, and the line where it begins."""

    name: str
    line: int
    column: int
    is_annotated: bool = False


class Report(Struct, tag=True):
    """The findings of a document, and what hints show."""

    id: int
    path: str
    diagnostics: list[Diagnostic] = []
    hints: list[Hint] = []
    models: list[Model] = []
    failure: Diagnostic | None = None
    """Why the document cannot be read or parsed; then there is nothing else."""
    importers: list[str] = []
    """The open documents whose findings an edit of this one may have changed."""
    elsewhere: list[str] = []
    """The other open documents that calls of this one lead to findings in."""
    affected: list[str] = []
    """Those of them, now or in the report before, in which they are others than before."""
    seconds: float = 0
    """Processor time: other work on the machine makes no document slow."""
    is_quick: bool = False
    is_interrupted: bool = False
    fault: str = ""
    """The error, if the engine failed."""
    megabytes: int = 0


class Replacement(Struct):
    """A replacement of a range, from 1, in code points; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Action(Struct):
    """A change that a user may choose."""

    title: str
    edits: list[Replacement]
    kind: str = "quickfix"
    codes: list[str] = []
    """The codes of the findings that it removes."""
    line: int = 0
    """The line of these findings."""
    is_preferred: bool = False
    later: dict[str, Any] = {}
    """If there are no edits yet: the topic and the details of the question that they answer."""


class Answer(Struct, tag=True):
    """The answer to a question: JSON that its asker knows; `fault` is the error if there is none."""

    id: int
    value: Any = None
    fault: str = ""


Reply = Report | Answer

encode = json.Encoder().encode
decode_request = json.Decoder(Request).decode
decode_reply = json.Decoder(Reply).decode
