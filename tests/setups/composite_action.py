"""Runs the steps of our GitHub Action in bash, with the contexts and files that a runner of GitHub provides."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from sysconfig import get_path
from typing import Any

from .conftest import ROOT

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
_TOKEN = re.compile(r"'[^']*'|&&|\|\||==|!=|[\w.-]+|\s+")
_OPERATORS = {"&&": " and ", "||": " or ", "==": "==", "!=": "!="}


@dataclass
class Runner:
    """A job whose checkout is `workspace`, and the state that its steps leave."""

    action: dict[str, Any]
    workspace: Path
    temporary: Path
    inputs: dict[str, str] = field(default_factory=dict)
    github: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    """Those of each step, by its id."""
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """The other actions that were called, and with what."""
    printed: str = ""

    def run(self, *ids: str) -> int:
        """Run the steps, or only those with these ids; return the exit code of the one that fails."""
        for step in self.action["runs"]["steps"]:
            if (ids and step.get("id") not in ids) or not self.evaluate(step.get("if", "'always'")):
                continue
            if "uses" in step:
                self.used.append((step["uses"], {name: self.text(one) for name, one in step.get("with", {}).items()}))
            elif code := self._shell(step):
                return code
        return 0

    def text(self, template: str) -> str:
        """A text with the values of its expressions."""
        return _EXPRESSION.sub(lambda found: self.evaluate(found[1]), template)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the small part of the language that the action uses."""
        tokens = _TOKEN.findall(expression)
        assert "".join(tokens) == expression, f"cannot read {expression}"
        return eval("".join(map(self._in_python, tokens)).strip(), {})  # the expression is ours

    def _in_python(self, token: str) -> str:
        if token[0] in "' ":
            return token
        return _OPERATORS.get(token) or repr(self._value(token))

    def _value(self, name: str) -> str:
        context, _, rest = name.partition(".")
        if context == "inputs":
            given = self.inputs.get(rest)
            return self.text(self.action["inputs"][rest]["default"]) if given is None else given
        if context == "steps":
            step, _, output = rest.partition(".outputs.")
            return self.outputs.get(step, {}).get(output, "")
        known = {
            "github": {"action_path": str(ROOT), **self.github},
            "runner": {"temp": str(self.temporary), "os": "Linux"},
        }
        return known[context].get(rest, "")

    def _shell(self, step: dict[str, Any]) -> int:
        assert step["shell"] == "bash"
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        files["GITHUB_OUTPUT"].write_text("")
        environment = {**os.environ, "GITHUB_WORKSPACE": str(self.workspace), **offline(), **self.variables}
        environment |= {name: str(file) for name, file in files.items()}
        environment |= {name: self.text(value) for name, value in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        folder = self.workspace / self.text(step.get("working-directory", "."))
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False, timeout=300,
        )  # fmt: skip
        self.printed += done.stdout
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs[step.get("id", "")] = dict(line.split("=", 1) for line in lines)
        return done.returncode


def offline() -> dict[str, str]:
    """Variables with which pip builds and installs our source, and finds what it needs in this environment."""
    return {
        "PYTHONPATH": get_path("purelib"),
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
