"""The entries that `shapecheck init` adds."""

from __future__ import annotations

PLUGIN = "shapecheck.mypy"
HOOK = """\
- repo: local
  hooks:
    - id: shapecheck-check
      name: shapecheck check
      entry: shapecheck check --quiet
      language: python
      additional_dependencies: [torch-shapecheck]
      types_or: [python]
      pass_filenames: false
      require_serial: true
"""
"""The hook `shapecheck-check` of .pre-commit-hooks.yaml, without the address of a repository."""
GITHUB = """\
name: shapecheck
on: [push, pull_request]

jobs:
  check:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      security-events: write # for upload-sarif
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4
        with:
          path: .shapecheck_cache
          key: shapecheck-${{ runner.os }}-${{ github.sha }}
          restore-keys: shapecheck-${{ runner.os }}-
      - run: python -m pip install torch-shapecheck
      - run: shapecheck check --format github --output shapecheck.sarif --output shapecheck.md
      - run: cat shapecheck.md >> "$GITHUB_STEP_SUMMARY"
        if: success() || failure()
      - uses: github/codeql-action/upload-sarif@v4
        # a pull request from a fork has no permission to upload, and a private repository may have no code scanning
        if: (success() || failure()) && !github.event.pull_request.head.repo.fork
        continue-on-error: true
        with:
          sarif_file: shapecheck.sarif
          category: shapecheck
"""
"""Annotations, a summary of the job, and alerts of code scanning. `action.yml` does the same in three lines."""
GITLAB = """\
shapecheck:
  stage: test
  image: python:3.12
  cache:
    key: shapecheck
    paths: [.shapecheck_cache]
  script:
    - python -m pip install torch-shapecheck
    - shapecheck check --output gl-code-quality-report.json --output shapecheck.sarif --output shapecheck.md
  artifacts:
    when: always
    paths: [shapecheck.sarif, shapecheck.md]
    reports:
      codequality: gl-code-quality-report.json
"""
"""Findings in the code quality of a merge request. `templates/check.yml` is the same job, to include."""
