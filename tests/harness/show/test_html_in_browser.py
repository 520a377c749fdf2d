"""The page as a person meets it: opened from a file in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shapecheck.harness.results import RunReport
from shapecheck.harness.show import renderer
from tests.harness.show import samples
from tests.harness.show.browser import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

ROOT = Path(__file__).parents[3]
UNET, GPT, ODD = "#case-2", "#case-1", "#case-6"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("html") / "report.html"
    with pytest.MonkeyPatch.context() as patch, path.open("w", encoding="utf-8") as stream:
        patch.chdir(ROOT)
        renderer("html")(samples.report(), stream)
    return path


@pytest.fixture(scope="module")
def context(browser: Browser) -> BrowserContext:
    """One for all tests, with a page that keeps its processes running; the report stores nothing in it."""
    made = browser.new_context(viewport={"width": 1400, "height": 900})
    made.new_page()
    return made


@pytest.fixture
def page(context: BrowserContext, written: Path) -> Iterator[Page]:
    """The page; at the end nothing may have been said on the console and nothing asked of the network."""
    said: list[str] = []
    asked: list[str] = []
    opened = context.new_page()
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(written.as_uri())
    yield opened
    opened.close()
    assert said == []
    assert asked == [written.as_uri()]


def modules_of(page: Page, case: str) -> Locator:
    """The part about modules, which is made when it comes near the window."""
    found = page.locator(f"{case} section.modules")
    found.scroll_into_view_if_needed()
    found.locator(".tree > *").first.wait_for()
    return found


def open_everything(page: Page) -> None:
    """Cases, then the modules in them, level by level."""
    while page.locator("details:not([open])").count():
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_timeout(50)


def visible(page: Page) -> list[str]:
    return page.locator("details.case:visible .name").all_inner_texts()


def test_the_header_sums_up(page: Page) -> None:
    assert "6 cases in 42.5 s: 1 passed, 2 failed" in page.locator("header").inner_text()
    page.locator(".environment summary").click()
    assert page.get_by_text("580.82.07").is_visible()
    assert page.get_by_text("flags.deterministic").is_visible()


def test_the_first_case_that_failed_is_open(page: Page) -> None:
    assert page.locator("details.case[open]").evaluate_all("all => all.map(one => one.id)") == [UNET[1:]]
    said = page.locator(f"{UNET} .findings").inner_text()
    assert "the output is torch.float32 (2, 24, 40), and the annotation says Float[Tensor, 'b 1 h w']" in said
    assert "squeeze() takes the batch too where it is one sample" in said
    assert page.locator(f"{UNET} mark").first.inner_text() == "self.head(x).squeeze() * weight / scale"
    assert page.locator(f"{UNET} mark").first.is_visible()


def test_the_reason_of_a_case_that_was_not_built_is_visible_at_once(page: Page) -> None:
    assert page.locator("#case-3 summary").get_by_text("`config` has no default").is_visible()


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("unet", [samples.UNET_CASE]),
        ("HIDDEN-COPY", [samples.GPT_CASE, samples.UNET_CASE]),
        ("blocks.0.attention", [samples.GPT_CASE]),
        ("squeeze batch", [samples.UNET_CASE]),
        ("no such thing", []),
        ("   ", None),
    ],
)
def test_the_filter(page: Page, typed: str, left: list[str] | None) -> None:
    everything = visible(page)
    page.keyboard.press("/")
    page.keyboard.type(typed)
    assert visible(page) == (everything if left is None else left)
    assert page.locator("#shown").inner_text() == f"{len(visible(page))} of {len(everything)}"
    assert page.locator("#nothing").is_visible() is (left == [])


def test_outcomes_can_be_hidden(page: Page) -> None:
    page.locator(".pill.failed").click()
    assert visible(page) == [case.name for case in samples.report().cases if case.outcome.value != "failed"]
    page.locator(".pill.failed").click()
    assert len(visible(page)) == 6


def test_the_order_can_be_chosen(page: Page) -> None:
    page.locator("#sort").select_option("bad")
    assert visible(page)[:2] == [samples.UNET_CASE, "odd:é"]
    page.locator("#sort").select_option("flops")
    assert visible(page)[0] == samples.GPT_CASE
    page.locator("#sort").select_option("number")
    assert visible(page) == [case.name for case in samples.report().cases]


def test_sizes_say_what_the_model_asks_of_them(page: Page) -> None:
    page.locator(f"{GPT} > summary").click()
    assert page.locator(f"{GPT} .sizes li").all_inner_texts() == ["b = 2", "t = 11 required", "vocabulary = 50257"]
    assert page.locator(f"{UNET} .sizes li").nth(1).inner_text() == "h = 24 a multiple of 8"


def test_the_tree_opens_level_by_level(page: Page) -> None:
    tree = modules_of(page, UNET).locator(".tree")
    assert tree.get_by_text("BatchNorm2d").count() == 0, "what is closed is not built yet"
    tree.locator("summary", has_text="down").click()
    tree.locator("summary", has_text="Double").first.click()
    tree.get_by_text("BatchNorm2d").first.wait_for()
    assert tree.get_by_text('(x: Float[Tensor, "b i h w"]) -> Float[Tensor, "b o h w"]').first.is_visible()
    assert "torch.float32 (2, 3, 24, 40) → torch.float32 (2, 16, 24, 40)" in tree.inner_text()
    (whole, *_) = samples.unet().modules
    assert whole.seconds is not None
    figures = [tree.locator(".cost").nth(row).locator("span").all_inner_texts() for row in (0, 1)]
    assert figures == [["parameters", "FLOPs", "bytes", "time"], ["137k", "85.8M", "3.60 MB", "4.12 ms"]]


def test_without_times_the_tree_has_no_column_for_them(page: Page, context: BrowserContext, tmp_path: Path) -> None:
    assert modules_of(page, UNET).locator(".head .cost span").last.is_visible()
    untimed = replace(samples.unet(), modules=tuple(replace(one, seconds=None) for one in samples.unet().modules))
    path = tmp_path / "untimed.html"
    with path.open("w", encoding="utf-8") as stream:
        renderer("html")(RunReport({}, (untimed,)), stream)
    other = context.new_page()
    other.goto(path.as_uri())
    head = modules_of(other, "#case-1").locator(".head .cost span")
    assert [head.nth(number).is_visible() for number in range(4)] == [True, True, True, False]
    other.close()


def test_the_tree_is_made_when_it_comes_near_the_window(page: Page) -> None:
    assert page.locator(f"{GPT} .tree > *").count() == 0
    page.locator(f"{GPT} > summary").focus()
    page.keyboard.press("Enter")
    assert modules_of(page, GPT).get_by_text("never called").is_visible()


def test_opening_all_cases_makes_only_what_is_near(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 100})
    at_first = page.locator(".tree:has(> *)").count()
    assert at_first == page.locator("details.case[open] .tree").count() == 1
    page.locator("#expand").click()
    page.wait_for_timeout(100)
    assert page.locator(".tree:has(> *)").count() == at_first
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    made = page.locator(".tree:has(> *)").count()
    assert made == sum(bool(case.modules) for case in samples.report().cases)


def test_a_jump_down_the_page_lands_and_stays(page: Page) -> None:
    assert len(set(page.locator(f"{ODD} > summary").evaluate(_TOPS_AFTER_A_JUMP))) == 1


def test_bars_are_as_wide_as_what_they_stand_for(page: Page) -> None:
    whole, down, up = samples.unet().modules[0], *(one for one in samples.unet().modules if one.path in ("down", "up"))
    flame = modules_of(page, UNET).locator(".flame")
    full = flame.evaluate("one => one.clientWidth")
    for module in (down, up):
        width = flame.locator("button", has_text=f"{module.path} ModuleList").evaluate("one => one.offsetWidth")
        assert width / full == pytest.approx(module.flops / whole.flops, abs=0.005)


def test_bars_show_bytes_when_asked(page: Page) -> None:
    whole, down = (one for one in samples.unet().modules if one.path in ("", "down"))
    modules_of(page, UNET).locator("[data-figure=bytes]").click()
    flame = page.locator(f"{UNET} .flame")
    bar = flame.locator("button", has_text="down ModuleList")
    share = bar.evaluate("one => one.offsetWidth / one.parentNode.clientWidth")
    assert share == pytest.approx(down.moved_bytes / whole.moved_bytes, abs=0.005)
    assert "1.43 MB moved" in (bar.get_attribute("title") or "")
    assert page.locator(f"{UNET} [data-figure=bytes]").get_attribute("aria-pressed") == "true"
    assert page.locator(f"{UNET} [data-figure=flops]").get_attribute("aria-pressed") == "false"


def test_bars_obey_the_keyboard(page: Page) -> None:
    modules = modules_of(page, UNET)
    flame, readout = modules.locator(".flame"), modules.locator(".readout")
    flame.locator("button").first.focus()
    said = []
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        said.append(readout.locator("b").inner_text())
    assert said == ["down", "up", "up.0", "down.2", "down"]
    page.keyboard.press("Enter")
    assert flame.locator("button").first.inner_text() == "down ModuleList"
    page.keyboard.press("Escape")
    assert flame.locator("button").first.inner_text() == "UNet"


def test_hostile_texts_are_texts(page: Page) -> None:
    page.locator(f"{ODD} > summary").click()
    assert page.evaluate("window.broken") is None
    assert modules_of(page, ODD).locator(".tree").get_by_text(samples.HOSTILE).first.is_visible()


@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_everything(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("scheme", "media"), [("light", "screen"), ("dark", "screen"), ("dark", "print")])
def test_texts_can_be_read_in_light_and_dark_and_on_paper(page: Page, scheme: str, media: str) -> None:
    """The contrast that WCAG wants of body text, of every text that is visible."""
    page.emulate_media(color_scheme=scheme, media=media)  # type: ignore[arg-type]
    open_everything(page)
    assert page.evaluate(_POOR_CONTRAST) == []


def test_the_page_says_everything_on_paper(page: Page) -> None:
    page.emulate_media(media="print")
    assert not page.locator(".toolbar").is_visible()
    assert page.locator(f"{UNET} .findings").is_visible()


def test_without_scripts_findings_and_checks_are_there(browser: Browser, written: Path) -> None:
    without_scripts = browser.new_context(java_script_enabled=False)
    page = without_scripts.new_page()
    page.goto(written.as_uri())
    assert page.get_by_text("squeeze() takes the batch too where it is one sample").is_visible()
    page.locator(f"{GPT} > summary").click()
    assert page.locator(GPT).get_by_text("no bfloat16 on this device").is_visible()
    without_scripts.close()


_TOPS_AFTER_A_JUMP = """(one) => new Promise((done) => {
  one.scrollIntoView({ block: "end" });
  const tops = [];
  const look = () => {
    tops.push(one.getBoundingClientRect().top);
    tops.length < 10 ? requestAnimationFrame(look) : done(tops);
  };
  look();
})"""

_POOR_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => colour.slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const back = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = rgba(getComputedStyle(one).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!own || !element.checkVisibility() || element.closest("script, .hidden, .skip")) continue;
    const [a, b] = [light(rgba(getComputedStyle(element).color)), light(back(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) poor.add(`${element.tagName}.${element.className}: ${contrast.toFixed(2)}`);
  }
  return [...poor];
}"""
