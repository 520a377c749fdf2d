"""What a user of VS Code sees."""

from __future__ import annotations

from docs.neovim import PROGRAM
from docs.vscode_window import Window

FINDING = "Linear: expected the last dimension of the input to be 128, got 256"


def test_a_file_has_its_finding_underlined_and_listed(window: Window) -> None:
    window.underlined().first.wait_for()
    assert any(FINDING in row for row in window.problems())


def test_shapes_are_hints_in_the_text(window: Window) -> None:
    window.hint(": (b, t, 256)").wait_for()
    assert window.lines == PROGRAM.splitlines() or window.lines == [*PROGRAM.splitlines(), ""]


def test_hover_shows_a_tensor_and_where_its_sizes_come_from(window: Window) -> None:
    window.hint(": (b, t, 256)").wait_for()
    shown = window.hover("= self.up(mixed", "y")
    assert "(b, t, 256)" in shown
    assert "256 comes from hidden=256" in shown


def test_a_quick_fix_changes_the_layer_and_removes_the_finding(window: Window) -> None:
    window.underlined().first.wait_for()
    fixes = window.quick_fixes("return self.down(y)")
    assert "Replace 128 by hidden where the layer is built" in fixes.all_inner_texts()
    window.page.keyboard.press("Enter")
    window.line("self.down = nn.Linear(hidden, width)").wait_for()
    window.underlined().first.wait_for(state="hidden")


def test_hints_follow_an_edit_that_is_not_saved(window: Window) -> None:
    window.hint(": (b, t, 256)").wait_for()
    window.append("= self.up(mixed", "\nz = y.sum(-1)")
    window.hint(": (b, t)").wait_for()


def test_the_status_bar_says_that_the_server_runs(window: Window) -> None:
    window.underlined().first.wait_for()
    window.status.locator(".codicon-check").wait_for()
