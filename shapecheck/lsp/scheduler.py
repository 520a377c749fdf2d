"""When documents are checked and reported: soon after an edit, as soon as edits pause, and never two at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from pathlib import Path

from shapecheck.lsp.documents import Document, Examined, Part, Snapshot
from shapecheck.lsp.messages import Answer, Changed, CheckRequest, Question, Report, Text
from shapecheck.lsp.worker_process import WorkerEnded, WorkerProcess

DEBOUNCE = 0.15
"""Seconds without an edit after which a document is reported on."""
_PAUSE = 1.0
"""Seconds without an edit after which a quick report is replaced by a complete one."""
_SLOW = 0.25
"""Seconds of processor time that a complete report may take before edits get quick ones."""
_MOST_FAULTS = 3
_MOST_MEGABYTES = 1500
"""Resident memory of the worker beyond which it is replaced."""


class Scheduler:
    """The open documents, and the worker that checks them."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self.documents: dict[str, Document] = {}
        """By name, those of cells of notebooks included."""
        self.worker = WorkerProcess(self._send_all, log)
        self.reported: list[Callable[[Document], None]] = []
        """Called with a document after each report about it."""
        self.closed: list[Callable[[str], None]] = []
        """Called with the name of each part of a document that is closed."""
        self._log = log
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, uri: str, path: Path, snapshot: Snapshot) -> Document:
        """Adds a document, and checks it at once."""
        document = Document(uri, path, snapshot)
        self._enter(document)
        self._send(document)
        self._after(document, 0)
        return document

    def change(self, document: Document, snapshot: Snapshot) -> None:
        """Replaces the text of a document."""
        self._leave(document)
        document.now = snapshot
        document.is_edited = True
        document.faults = 0
        document.due = asyncio.get_running_loop().time() + DEBOUNCE
        self._enter(document)
        self._send(document)
        self._after(document, 0 if _may_begin_at_once(document) else DEBOUNCE)

    def close(self, document: Document) -> None:
        """Forgets a document."""
        self._leave(document)
        if document.timer is not None:
            document.timer.cancel()
        _wake(document)
        self.worker.send(Text(str(document.path)))
        if document.good is not None:
            self._check_soon(document.good.report.elsewhere)
        for part in document.now.parts:
            for listener in self.closed:
                listener(part.uri)

    def files_changed(self, paths: list[str]) -> None:
        """Checks all documents again, because files that they may import have changed."""
        self.worker.send(Changed(paths))
        for one in self.all():
            self._after(one, DEBOUNCE)

    def all(self) -> list[Document]:
        """The open documents."""
        return list(dict.fromkeys(self.documents.values()))

    async def settled(self, document: Document) -> None:
        """Returns when there is a report about the present text, or the document is closed."""
        while not document.is_current and document.uri in self.documents and document.faults < _MOST_FAULTS:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            document.waiting.append(future)
            await future

    async def ask(self, document: Document, question: Question) -> object:
        """The answer to a question about a document; None if there is none."""
        try:
            answer = await self.worker.ask(question)
        except WorkerEnded:
            return None
        assert isinstance(answer, Answer)
        if answer.fault:
            self._log(answer.fault)
        return answer.value

    def _enter(self, document: Document) -> None:
        self.documents[document.uri] = document
        for part in document.now.parts:
            self.documents[part.uri] = document

    def _leave(self, document: Document) -> None:
        for uri in [document.uri, *(one.uri for one in document.now.parts)]:
            self.documents.pop(uri, None)

    def _send(self, document: Document) -> None:
        self.worker.send(Text(str(document.path), document.now.text))

    def _send_all(self) -> None:
        """Sends all documents to another worker."""
        for one in self.all():
            self._send(one)
            self._after(one, DEBOUNCE)

    def _check_soon(self, paths: Collection[str]) -> None:
        """Checks documents again that have not been edited themselves."""
        for one in self.all():
            if str(one.path) in paths and one.timer is None:
                self._after(one, DEBOUNCE)

    def _after(self, document: Document, seconds: float, *, is_complete: bool = False) -> None:
        if document.timer is not None:
            document.timer.cancel()
        loop = asyncio.get_running_loop()
        document.timer = loop.call_later(seconds, self._begin, document, is_complete)

    def _begin(self, document: Document, is_complete: bool) -> None:
        document.timer = None
        task = asyncio.get_running_loop().create_task(self._check(document, is_complete))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check(self, document: Document, is_complete: bool) -> None:
        if document.uri not in self.documents or document.faults >= _MOST_FAULTS:
            return
        snapshot, due = document.now, document.due
        is_quick = document.is_slow and not is_complete
        try:
            report = await self.worker.ask(CheckRequest(0, str(document.path), is_quick))
        except WorkerEnded:
            document.faults += 1
            if document.faults >= _MOST_FAULTS:
                self._log(f"{document.path} is not checked again until it is reopened")
                _wake(document)
            return
        assert isinstance(report, Report)
        document.faults = 0
        if report.is_interrupted:
            return
        if report.is_quick == document.is_slow:
            document.expected = report.seconds
        early = due - asyncio.get_running_loop().time()
        if early > 0:
            await asyncio.sleep(early)
        if document.uri not in self.documents:
            return
        if early > 0 and document.now is not snapshot:
            self._check_soon(report.affected)
        else:
            self._accept(document, Examined(snapshot, report))

    def _accept(self, document: Document, examined: Examined) -> None:
        report = examined.report
        if report.fault:
            self._log(report.fault)
        document.latest = examined
        if report.failure is None:
            document.good = examined
            if not report.is_quick:
                document.is_slow = report.seconds > _SLOW
        for listener in self.reported:
            listener(document)
        if document.is_current:
            _wake(document)
        if report.is_quick and document.timer is None:
            self._after(document, _PAUSE, is_complete=True)
        self._check_soon({*report.affected, *(report.importers if document.is_edited else ())})
        document.is_edited = False
        if report.megabytes > _MOST_MEGABYTES:
            self._log(f"the worker process uses {report.megabytes} MB; replacing it")
            self.worker.recycle()


def _may_begin_at_once(document: Document) -> bool:
    """Whether a check does not delay that of the next edit, because it is interrupted or soon at its end."""
    return document.latest is not None and (not document.is_slow or document.expected <= DEBOUNCE)


def _wake(document: Document) -> None:
    for future in document.waiting:
        if not future.done():
            future.set_result(None)
    document.waiting.clear()


def whole(uri: str, version: int, text: str) -> Snapshot:
    """Source that is one part."""
    return Snapshot(version, text, (Part(uri, 0, 1 << 30),))
