"""The files of docs/ci that `shapecheck init` writes too."""

from __future__ import annotations

from shapecheck.cli._init.templates import GITHUB, GITLAB
from shapecheck.cli._init.yaml_edits import with_hook


def snippets() -> dict[str, str]:
    """The text of each, by its name."""
    purpose = "Annotations on the lines of a pull request, a summary and code scanning, in one run."
    return {
        "github.yml": f"# {purpose}\n{GITHUB}",
        "gitlab.yml": f"# Findings in the code quality of a merge request.\n{GITLAB}",
        "pre-commit.yaml": f"# .pre-commit-config.yaml\n{with_hook('') or ''}",
    }
