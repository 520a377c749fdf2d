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
      - run: shapecheck check --format github
"""
GITLAB = """\
shapecheck:
  image: python:3.12
  cache:
    key: shapecheck
    paths: [.shapecheck_cache]
  script:
    - python -m pip install torch-shapecheck
    - shapecheck check --output shapecheck.xml
  artifacts:
    when: always
    reports:
      junit: shapecheck.xml
"""
