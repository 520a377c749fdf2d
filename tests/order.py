"""The files whose tests take longest: they start first, so that at the end no process waits for one of them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
LONGEST = """
test_documents.py static/differential/test_findings.py mypy/test_findings.py published/test_installed.py
test_examples.py harness/test_models.py setups/test_hooks.py mypy/test_processes.py stubs/test_checkers.py
harness/show/test_html_in_browser.py mypy/test_late_findings.py cases/test_cases.py messages/test_templates.py
setups/test_workflows.py setups/test_action.py harness/test_mutants.py record/test_recording.py
benchmarks/test_evaluations.py test_pytest_plugin.py test_pytest_cases.py fix/test_kill.py mypy/test_daemon_edits.py
cli/test_check_edits.py mypy/test_agreement.py diagnostics/test_run_pages.py fix/test_checkers.py
fix/test_signature_layout.py harness/ranks/test_processes.py harness/work/test_preload.py harness/show/test_groups.py
benchmarks/test_annotate_runs.py benchmarks/test_speed.py published/test_portable.py harness/test_distributed.py
lsp/test_code_actions.py conformance/test_op_db.py test_pictures.py lsp/test_diagnostics.py
lsp/test_workspace_diagnostics.py harness/ranks/test_pages.py
""".split()
"""Paths, the longest about first."""
PLACES = {HERE / name: place for place, name in enumerate(LONGEST)}


def place(path: Path) -> int:
    """The place of a test file among the others; those that are not listed keep their order."""
    return PLACES.get(path, len(PLACES))
