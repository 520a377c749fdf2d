"""The page of the playground, in a real browser without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playground.page import BUILT, Playground

AXE = Path(__file__).resolve().parents[2] / "editors/playground/node_modules/axe-core/axe.min.js"
BROKEN = "import torch\ntorch.zeros(2, 3) @ torch.zeros(4, 5)\n"
FIXED = "import torch\nproduct = torch.zeros(2, 3) @ torch.zeros(3, 5)\n"
SHARED = "x = 'é, 🙂, a \"quote\" and #code=&'\n"
LONG = "import torch\nx = torch.zeros(" + ", ".join(["2"] * 60) + ")\n"


def test_nothing_is_requested_from_another_host_and_no_error_is_logged(page: Playground) -> None:
    assert (page.elsewhere, page.errors) == ([], [])
    names = page.page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert names
    assert all(one.startswith(page.address) for one in names)


def test_the_example_of_the_readme_has_its_findings_notes_and_shapes(page: Playground) -> None:
    assert page.findings == [("17:13", "silent-broadcast"), ("18:5", "wrong-call")]
    note = page.page.locator("#findings .note").inner_text()
    assert "scores has shape (4, 1) from here" in note
    assert page.shapes == [": (4, 1)", ": ()"]
    assert page.page.locator(".cm-lintRange").count() == 2
    assert page.page.locator("#findings .code").first.get_attribute("href") == "../../codes/silent-broadcast/"


def test_an_edit_changes_findings_shapes_and_what_is_announced(page: Playground) -> None:
    page.write(BROKEN)
    assert (page.findings, page.status) == ([("2:1", "shape-mismatch")], "1 error")
    page.write(FIXED)
    assert (page.findings, page.shapes, page.status) == ([], [": (2, 5)"], "No findings")
    page.page.keyboard.press("Control+z")
    page.answered()
    assert page.text == BROKEN
    assert page.findings == [("2:1", "shape-mismatch")]


def test_while_the_text_does_not_parse_the_shapes_stay(page: Playground) -> None:
    page.write(FIXED)
    page.page.keyboard.insert_text("x = (")
    page.answered()
    assert page.status == "The code does not parse"
    assert [code for _, code in page.findings] == ["syntax-error"]
    assert page.shapes == [": (2, 5)"]


def test_the_picker_has_every_example(page: Playground) -> None:
    names = page.page.eval_on_selector_all("#example option", "all => all.map(one => one.value).filter(one => one)")
    assert len(names) == len(list((BUILT.parent / "examples").iterdir()))
    page.page.select_option("#example", "layers")
    page.answered()
    assert page.findings == [("19:16", "shape-mismatch")]


def test_shapes_can_be_hidden_and_are_in_a_list_too(page: Playground) -> None:
    page.page.locator("#shapes").uncheck()
    assert page.shapes == []
    page.page.locator("#shapes").check()
    assert page.shapes == [": (4, 1)", ": ()"]
    page.page.locator("summary").click()
    assert page.page.locator("#shape-list code").all_inner_texts() == ["scores: (4, 1)", "loss: ()"]
    page.page.locator("summary").click()


def test_a_shared_link_restores_the_text(page: Playground) -> None:
    page.write(SHARED)
    page.page.get_by_role("button", name="Share").click()
    page.page.get_by_text("Link copied").wait_for()
    link = page.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{page.address}#code=")
    page.write(FIXED)
    page.page.evaluate("link => { location.hash = ''; location.hash = new URL(link).hash }", link)
    page.page.locator(".cm-content", has_text="quote").wait_for()
    assert page.answered().text == SHARED


@pytest.mark.parametrize("fragment", ["#code=%%%", "#code=AAAA", "#other", "#code="])
def test_a_damaged_link_keeps_the_text(page: Playground, fragment: str) -> None:
    before = page.text
    page.page.evaluate("fragment => { location.hash = fragment }", fragment)
    page.page.wait_for_timeout(100)
    assert page.text == before


def test_everything_is_reached_and_used_with_the_keyboard(page: Playground) -> None:
    """From the top of the page, each control by Tab; the editor too, which Tab leaves."""
    page.page.evaluate("document.activeElement.blur()")
    page.page.locator("h1 a").focus()
    seen = []
    for _ in range(12):
        seen.append(page.page.evaluate("document.activeElement.id || document.activeElement.className.split(' ')[0]"))
        page.page.keyboard.press("Tab")
    assert seen[1:6] == ["example", "shapes", "share", "scheme", "cm-content"]
    assert seen[6:11] == ["place", "code", "place", "place", "code"]
    page.page.locator("#findings .place").first.focus()
    page.page.keyboard.press("Enter")
    page.page.keyboard.insert_text("0 + ")
    page.answered()
    assert "loss = (0 + scores" in page.text


def test_f8_goes_to_the_next_finding(page: Playground) -> None:
    page.page.locator(".cm-content").focus()
    page.page.keyboard.press("F8")
    page.page.keyboard.insert_text("0 + ")
    assert "loss = (" in page.answered().text


@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_does_not_scroll_sideways(page: Playground, width: int) -> None:
    page.page.set_viewport_size({"width": width, "height": 860})
    for text in (None, LONG):
        if text:
            page.write(text)
        assert page.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_is_found(page: Playground, scheme: str) -> None:
    """The rules of axe for WCAG 2.2 AA: names, roles, contrast, order."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: `npm ci` in editors/playground")
    page.page.evaluate("scheme => { document.documentElement.dataset.scheme = scheme }", scheme)
    page.page.evaluate(AXE.read_text())  # as the page's policy allows no script from elsewhere
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    report = page.page.evaluate("rules => axe.run(document, { runOnly: rules })", rules)
    found = [(one["id"], one["help"], [node["html"] for node in one["nodes"]]) for one in report["violations"]]
    page.page.evaluate("delete document.documentElement.dataset.scheme")
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 150 + "1" + ")" * 150 + "\n",
        "import torch\nx = torch.zeros(2)\ny = x" + " + x" * 300 + "\n",
        "def f(n):\n    return f(n - 1) if n else 0\n\n\nf(3000)\n",
    ],
    ids=["parentheses", "operators", "calls"],
)
def test_nested_code_gets_an_answer(page: Playground, text: str) -> None:
    assert page.write(text).findings == []


def test_code_that_ends_python_is_named_and_the_next_text_is_checked(page: Playground) -> None:
    page.paste("x = " + "-" * 3000 + "1\n")
    page.page.wait_for_selector("body[data-state=failed]")
    assert page.status == "shapecheck cannot check this code: it is nested too deeply"
    assert page.findings == []
    assert page.write(BROKEN).findings == [("2:1", "shape-mismatch")]
    page.errors.clear()
