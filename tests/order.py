"""The files whose tests take longest: they start first, so that at the end no process waits for one of them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
LONGEST = """
test_documents.py static/differential/test_findings.py test_pytest_plugin.py mypy/test_findings.py
harness/test_models.py mypy/test_processes.py test_examples.py published/test_installed.py fix/test_checkers.py
lsp/test_code_actions.py lsp/test_diagnostics.py mypy/test_late_findings.py mypy/test_daemon_edits.py
conformance/test_op_db.py setups/test_workflows.py cli/test_check_edits.py cli/test_run.py harness/probe/test_probe.py
harness/show/test_html_in_browser.py lsp/test_hints.py fix/test_fuzz.py stubs/test_checkers.py lsp/test_hover.py
cli/test_run_infer.py harness/test_wrap.py fix/test_kill.py
""".split()
"""Paths, the longest about first."""
PLACES = {HERE / name: place for place, name in enumerate(LONGEST)}


def place(path: Path) -> int:
    """The place of a test file among the others; those that are not listed keep their order."""
    return PLACES.get(path, len(PLACES))
