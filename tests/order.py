"""The files whose tests take longest, the longest first: they start first, so that no process waits for one at the end."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
LONGEST = """
test_documents.py harness/test_models.py mypy/test_findings.py lsp/test_code_actions.py static/differential/test_findings.py
published/test_installed.py test_examples.py test_tutorials.py mypy/test_daemon_edits.py mypy/test_processes.py
lsp/test_diagnostics.py fix/test_checkers.py conformance/test_op_db.py mypy/test_late_findings.py setups/test_workflows.py
harness/probe/test_probe.py cli/test_run.py cli/test_check_edits.py test_pytest_plugin.py spec/test_unify.py
lsp/test_hints.py harness/show/test_html_in_browser.py stubs/test_checkers.py lsp/test_hover.py fix/test_fuzz.py
""".split()
PLACES = {HERE / name: place for place, name in enumerate(LONGEST)}


def place(path: Path) -> int:
    """The place of a test file among the others; those that are not listed keep their order."""
    return PLACES.get(path, len(PLACES))
