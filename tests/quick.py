"""The tests of `pytest -m quick`: for each package, folders, files and functions whose tests take little time.

With this marker nothing else is read, so that it is quick from the start.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARKER = "quick"
WHOLE = """
claims expressions models models.distributions models.nn models.numpy models.python narrowing observing operators
provenance statements
""".split()
RULES = "axis_order column_assignment float64_leak silent_broadcast squeeze_batch".split()
CHECKS = "backward batch calls gradcheck kv_cache not_the_program table tying".split()
TESTS: Mapping[str, tuple[str, ...]] = {
    "shapecheck": ("test_quick.py", "test_public_names.py"),
    "shapecheck.annotate": ("annotate/test_passes.py", "annotate/test_skipped.py"),
    "shapecheck.cli": ("cli/test_explain.py", "cli/test_diff.py", "cli/test_version.py"),
    "shapecheck.cli._doctor": ("cli/test_doctor.py",),
    "shapecheck.cli._init": ("cli/test_init.py",),
    "shapecheck.conditions": ("conditions/test_intent.py",),
    "shapecheck.config": ("config",),
    "shapecheck.diagnostics": ("diagnostics/test_render.py",),
    "shapecheck.diagnostics.render": ("diagnostics/test_render.py",),
    "shapecheck.editing": ("playground/test_document.py",),
    "shapecheck.fix": ("fix/test_data.py::test_changes_into", "fix/test_data.py::test_keeps"),
    "shapecheck.harness": ("harness/test_compare.py", "harness/test_fake_copy.py"),
    "shapecheck.harness.cases": ("harness/cases",),
    "shapecheck.harness.cases.assumed": ("harness/cases/test_assumed.py",),
    "shapecheck.harness.cases.libraries": ("harness/cases/test_libraries.py",),
    "shapecheck.harness.checks": tuple(f"harness/checks/test_{name}.py" for name in CHECKS),
    "shapecheck.harness.cost": ("harness/cost",),
    "shapecheck.harness.inputs": ("harness/inputs",),
    "shapecheck.harness.probe": ("harness/probe/test_lines.py", "harness/probe/test_profiled.py"),
    "shapecheck.harness.ranks": ("harness/ranks/test_judge.py",),
    "shapecheck.harness.search": ("harness/search",),
    "shapecheck.harness.show": ("harness/show/test_table.py", "harness/show/test_terminal.py"),
    "shapecheck.harness.work": ("harness/work/test_limits.py",),
    "shapecheck.lazy_pattern": ("test_lazy_pattern.py",),
    "shapecheck.lsp": ("lsp/test_quick_reports.py", "lsp/test_clients.py"),
    "shapecheck.lsp.features": ("lsp/test_hover.py::test_a_tensor_has_shape_dtype_layout_and_origins",),
    "shapecheck.lsp.worker": ("lsp/test_quick_reports.py",),
    "shapecheck.lsp.worker.edits": ("lsp/test_code_actions.py::test_a_comment_suppresses_a_finding",),
    "shapecheck.lsp.worker.questions": ("lsp/test_hover.py::test_a_layer_has_weights",),
    "shapecheck.mypy": (
        "mypy/test_import_closure.py::test_imported_names",
        "mypy/test_findings.py::test_what_the_source_asks_to_be_told_is_a_note",
    ),
    "shapecheck.ops": ("ops/test_infer.py", "ops/test_lookup.py", "ops/test_forms.py"),
    "shapecheck.ops.modules": ("ops/modules/test_norm.py", "ops/modules/test_container.py"),
    "shapecheck.ops.rules": ("ops/rules/test_views.py", "ops/rules/test_matmul.py", "ops/rules/test_join.py"),
    "shapecheck.ops.shared": ("ops/rules/test_conv.py", "ops/rules/test_reduce.py"),
    "shapecheck.playground": ("playground/test_document.py",),
    "shapecheck.project": ("project/test_cache.py", "project/test_resolve.py", "project/test_source.py"),
    "shapecheck.pytest_plugin": ("test_pytest_plugin.py::test_guards_alone",),
    "shapecheck.record": (
        "record/test_recording.py::test_a_file_of_another_version_is_refused",
        "record/test_recording.py::test_only_scripts_are_run_in_another_way",
    ),
    "shapecheck.runtime": ("runtime/test_verdicts.py", "runtime/test_overlay.py"),
    "shapecheck.runtime.guards": ("runtime/guards/test_planted.py",),
    "shapecheck.runtime.guards.rules": ("runtime/guards/test_guard.py",),
    "shapecheck.selection": ("cli/test_check.py",),
    "shapecheck.spec": ("spec/test_dim.py", "spec/test_shape.py", "spec/test_broadcast.py"),
    "shapecheck.static": ("static/test_programs.py",),
    **{f"shapecheck.static.{name}": (f"static/{name.replace('.', '/')}",) for name in WHOLE},
    "shapecheck.static.calls": ("static/calls/test_functions.py", "static/calls/test_super.py"),
    "shapecheck.static.contracts": ("static/contracts/test_types.py", "static/contracts/test_reports.py"),
    "shapecheck.static.domain": ("static/domain/test_sizes.py", "static/domain/test_alternatives.py"),
    "shapecheck.static.rules": tuple(f"static/rules/test_{name}.py" for name in RULES),
    "shapecheck.static.engine": ("static/engine/test_run.py", "static/engine/test_dispatch.py"),
    "shapecheck.static.entry": ("static/entry/test_checker.py", "static/entry/test_claims.py"),
    "shapecheck.stubs": ("stubs/test_skeleton.py", "stubs/test_patching.py"),
}


def is_read(path: Path) -> bool:
    """Whether a test file has quick tests."""
    return bool(_functions(path))


def is_quick(path: Path, function: str) -> bool:
    return not _functions(path).isdisjoint(("", function))


@cache  # asked for each of some thousand tests
def _functions(path: Path) -> frozenset[str]:
    """The names of the quick tests of a file; an empty name stands for all."""
    return frozenset().union(*(_FUNCTIONS[str(place)] for place in (path, *path.parents) if str(place) in _FUNCTIONS))


def _by_place() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entry in chain.from_iterable(TESTS.values()):
        file, _, function = entry.partition("::")
        found.setdefault(str(HERE / file), set()).add(function)
    return found


_FUNCTIONS = _by_place()
"""By the path of a file or folder; paths are compared as text, which is faster."""
