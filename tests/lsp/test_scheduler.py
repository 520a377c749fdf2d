"""When documents are checked. The wait after an edit never ends here."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from shapecheck.lsp import scheduler as module
from shapecheck.lsp.documents import Document
from shapecheck.lsp.messages import CheckRequest, Report, Text
from shapecheck.lsp.scheduler import Scheduler, whole

pytestmark = pytest.mark.asyncio

URI = "file:///a.py"


class Worker:
    """Reports at once, as if it had worked for some time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = 0

    def send(self, request: Text) -> None:
        """Nothing follows."""

    async def ask(self, request: CheckRequest) -> Report:
        self.asked += 1
        return Report(request.id, request.path, seconds=self.seconds, is_quick=request.is_quick)


async def opened(monkeypatch: pytest.MonkeyPatch, seconds: float) -> tuple[Scheduler, Any, Document, list[str]]:
    """A document with a report, its worker, and the texts that are reported on from now on."""
    monkeypatch.setattr(module, "DEBOUNCE", 3600)
    one = Scheduler(print)
    worker: Any = Worker(seconds)
    one.worker = worker
    document = one.open(URI, Path("/a.py"), whole(URI, 1, "x = 1\n"))
    await one.settled(document)
    texts: list[str] = []
    one.reported.append(lambda found: texts.append(found.latest.snapshot.text if found.latest else ""))
    worker.asked = 0
    return one, worker, document, texts


async def test_a_fast_check_begins_at_the_keystroke_and_its_report_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, worker, document, texts = await opened(monkeypatch, 0.1)
    scheduler.change(document, whole(URI, 2, "x = 2\n"))
    await asyncio.sleep(0.1)
    assert (worker.asked, texts) == (1, [])


async def test_a_slow_check_waits_for_further_keystrokes(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, worker, document, texts = await opened(monkeypatch, 4000)
    scheduler.change(document, whole(URI, 2, "x = 2\n"))
    await asyncio.sleep(0.1)
    assert (worker.asked, texts) == (0, [])


async def test_the_report_about_a_text_that_changed_meanwhile_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, _, document, texts = await opened(monkeypatch, 0.1)
    monkeypatch.setattr(module, "DEBOUNCE", 0.2)
    scheduler.change(document, whole(URI, 2, "x = 2\n"))
    await asyncio.sleep(0)
    monkeypatch.setattr(module, "DEBOUNCE", 0.4)
    scheduler.change(document, whole(URI, 3, "x = 3\n"))
    await scheduler.settled(document)
    assert texts == ["x = 3\n"]
