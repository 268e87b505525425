"""The page in a real browser: Chromium, as Debian packages it, driven by Playwright."""

import os
import re
import shutil

import pytest
from visiting import SMALL, Visitor, wait_for

import lazyrich.web.api as api

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("LAZYRICH_BROWSER") != "required",
        reason="no chromium here: on Debian, apt-get install chromium",
    ),
]
LEMMA = "woodworth2020-lemma_6"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "LAZYRICH_BROWSER=required, and there is no chromium"
    with sync_playwright() as player:
        opened = player.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def base(site):
    """The address, with the two experiments that are looked at compiled."""
    guest = Visitor(site[1])
    for query in (SMALL, "experiment=grokking"):
        assert guest.events(f"/api/train?{query}")[-1][0] == "done"
    return f"http://127.0.0.1:{site[1]}"


@pytest.fixture
def visit(browser, base, house):
    """Opens a page; at the end nothing was asked of others, nothing went wrong, and no run is left."""
    contexts, asked, wrong = [], [], []

    def opened(path="/", *, motion="reduce", **settings):
        settings = {"viewport": {"width": 1200, "height": 900}, **settings}
        context = browser.new_context(reduced_motion=motion, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(base + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((base, "data:"))] == []
    wait_for(lambda: house.line.busy == 0)


def cell(page, name, side="a"):
    return page.locator(f"figure[data-side={side}] [data-told={name}]")


def done(page):
    page.get_by_text(re.compile(r"^done in")).wait_for()


def foretold(page, side="a"):
    """Once the forecast is shown."""
    page.locator(f"figure[data-side={side}] [data-told=switch]", has_text=re.compile(r"\d|none")).wait_for()
    page.locator(f"figure[data-side={side}]:not([aria-busy])").wait_for()


def ink(page, name, side="a"):
    """How many pixels of the chart have the color of this name."""
    script = """([side, name]) => {
      const canvas = document.querySelector(`figure[data-side=${side}] canvas`);
      const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
      const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        count += Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 24;
      return count;
    }"""
    return page.evaluate(script, [side, name])


def numbers(text):
    return [float(one) for one in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def test_it_is_painted_within_a_second(visit):
    paints = []
    for _ in range(3):
        page = visit("/")
        foretold(page)
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(paints) < 1_000, f"{paints} ms"  # other tests share the cores


def test_theory_is_drawn_before_training_and_moves_with_a_slider(visit):
    page = visit("/?experiment=grokking")
    foretold(page)
    assert ink(page, "theory") > 100 and ink(page, "measured") == 0
    before = numbers(cell(page, "switch").inner_text())
    box = page.locator("#a-alpha").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.65, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, middle, steps=5)
    page.mouse.up()
    assert float(page.locator("#a-alpha-number").input_value()) > 20
    page.locator("figure[data-side=a]:not([aria-busy])").wait_for()
    page.locator("[data-told=switch]", has_text=re.compile(rf"^(?!{before[0]:g} )\d")).first.wait_for()
    after = numbers(cell(page, "switch").inner_text())
    assert after[0] > 1.3 * before[0]  # a larger start takes longer, log(alpha)/decay
    assert "alpha=" in page.url


def test_a_curve_grows_and_the_switch_comes_where_it_was_forecast(visit):
    page = visit("/?experiment=grokking", motion="no-preference")
    foretold(page)
    page.get_by_role("button", name="Train").click()
    page.locator("figure[data-side=a][data-updates]").wait_for()
    early = ink(page, "measured")
    done(page)
    assert ink(page, "measured") > early + 200
    assert int(page.locator("figure[data-side=a]").get_attribute("data-updates")) == 60
    middle, low, high = numbers(cell(page, "switch").inner_text().replace("–", " "))
    (measured,) = numbers(cell(page, "seen-switch").inner_text())
    assert low < middle < high and low <= measured <= high
    assert "inside the forecast interval" in cell(page, "verdict").inner_text()
    assert numbers(cell(page, "early").inner_text())[0] == pytest.approx(
        numbers(cell(page, "seen-early").inner_text())[0], abs=0.05
    )


def test_a_link_reproduces_the_view(visit):
    page = visit(f"/?{SMALL}")
    foretold(page)
    page.locator("#a-strength-number").fill("0.002")
    page.get_by_role("button", name="New draw").click()
    page.get_by_role("button", name="Train").click()
    done(page)
    again = visit(page.url.removeprefix(page.url.split("/?")[0]))
    done(again)
    assert "seed=1" in page.url and "strength=0.002" in page.url and page.url == again.url
    first, second = (one.locator("figure[data-side=a] .readout").inner_text() for one in (page, again))
    assert first == second and cell(page, "seen-switch").inner_text() != "–"


def test_rewind_goes_back_to_the_same_start(visit):
    page = visit(f"/?{SMALL}&go=1")
    done(page)
    before = page.locator("figure[data-side=a] .readout").inner_text()
    page.get_by_role("button", name="Rewind").click()
    assert cell(page, "seen-switch").inner_text() == "–" and ink(page, "ghost") > 100
    page.get_by_role("button", name="Train").click()
    done(page)
    assert page.locator("figure[data-side=a] .readout").inner_text() == before


def test_two_settings_side_by_side(visit):
    page = visit(f"/?{SMALL}")
    foretold(page)
    page.get_by_label("compare two settings").check()
    foretold(page, "b")
    page.locator("#b-strength").press("ArrowLeft")
    page.locator("#b-strength").press("ArrowLeft")
    page.get_by_role("button", name="Train").click()
    done(page)
    assert cell(page, "seen-switch", "a").inner_text() != cell(page, "seen-switch", "b").inner_text()
    a, b = (page.locator(f"figure[data-side={side}]").bounding_box() for side in "ab")
    assert a["y"] == b["y"] and a["x"] < b["x"] and "b.strength=" in page.url
    with page.expect_download() as waited:
        page.get_by_role("link", name="CSV").click()
    rows = waited.value.path().read_text().splitlines()
    assert len(rows) == 1 + 2 * 120 and len({row.split(",")[2] for row in rows[1:]}) == 2
    page.get_by_label("compare two settings").uncheck()
    assert "b." not in page.get_by_role("link", name="CSV").get_attribute("href")
    page.get_by_role("button", name="New draw").click()
    page.get_by_label("compare two settings").check()
    assert cell(page, "seen-switch", "b").inner_text() == "–"  # the old draw is not shown beside the new one


def test_files_to_take_along(visit):
    page = visit(f"/?{SMALL}&go=1")
    done(page)
    for kind, start in (("SVG", b"<?xml"), ("PNG", b"\x89PNG"), ("Python", b'"""')):
        with page.expect_download() as waited:
            page.get_by_role("link", name=kind).click()
        assert waited.value.path().read_bytes().startswith(start)


def test_the_page_is_usable_while_a_run_goes_and_the_run_ends_with_it(visit, house, monkeypatch):
    import time

    quick = api.train

    def slow(*given):
        for piece in quick(*given):
            yield piece
            time.sleep(0.2)

    monkeypatch.setattr(api, "train", slow)
    page = visit(f"/?{SMALL}&go=1")
    page.locator("figure[data-side=a][data-updates]").wait_for()
    page.get_by_role("link", name="Runs").focus()
    assert house.line.busy == 1
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("stopped").wait_for()
    wait_for(lambda: house.line.busy == 0, 5.0)
    page.get_by_role("button", name="Train").click()
    page.locator("#status", has_text="training").wait_for()
    page.close()
    wait_for(lambda: house.line.busy == 0, 5.0)


def test_a_claim_is_run_from_its_page(visit):
    page = visit(f"/claims/{LEMMA}.html")
    page.get_by_role("button", name="Run it").click()
    page.locator("#state", has_text=re.compile("holds, in .* stored as")).wait_for(timeout=60_000)
    page.get_by_role("link", name="Show the new result").click()
    page.locator("section.verdict .badge.holds").wait_for()
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_label("question").fill("verdict == 'holds'")
    page.keyboard.press("Enter")
    page.locator(".runs a").first.click()
    page.get_by_role("heading", name="How it was judged").wait_for()


def test_claims_are_filtered(visit):
    page = visit("/claims")
    page.locator("#filters").wait_for()
    total = page.locator(".claims > li").count()
    page.keyboard.press("/")
    page.keyboard.type("grok")
    page.get_by_label("paper").select_option("lyu2024")
    page.get_by_label("kind").select_option("figure")
    shown = page.locator(".claims > li:visible")
    assert 0 < shown.count() < total
    assert {row.get_attribute("data-paper") for row in shown.all()} == {"lyu2024"}
    assert all("grok" in row.get_attribute("data-text") for row in shown.all())


def test_light_and_dark(visit):
    page = visit(f"/?{SMALL}&go=1", color_scheme="dark")
    done(page)

    def back():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert back() == "rgb(20, 23, 26)" and ink(page, "measured") > 100
    page.get_by_role("button", name="light and dark").click()
    assert back() == "rgb(251, 251, 250)" and ink(page, "measured") > 100
    page.reload()
    assert back() == "rgb(251, 251, 250)"  # the choice is remembered
    done(page)


@pytest.mark.parametrize("path", [f"/?{SMALL}&b.strength=0.01&go=1", "/claims", f"/claims/{LEMMA}.html", "/runs"])
def test_a_phone_shows_all_of_it(visit, path):
    page = visit(path, viewport={"width": 375, "height": 740})
    if "go=1" in path:
        done(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_by_keyboard_alone(visit):
    page = visit(f"/?{SMALL}")
    foretold(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"

    def to(wanted):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == wanted:
                return
        raise AssertionError(f"{wanted} is not reached by Tab")

    to("a-strength")
    before = page.locator("#a-strength-number").input_value()
    page.keyboard.press("ArrowRight")
    assert float(page.locator("#a-strength-number").input_value()) > float(before)
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.id") == "a-strength-number"
    page.keyboard.press("Enter")
    done(page)
    assert cell(page, "seen-switch").inner_text() != "–"


def test_nothing_moves_while_it_trains(visit):
    page = visit(f"/?{SMALL}")
    foretold(page)
    names = ("#train", ".chart canvas", ".readout", ".take", "#a-strength", "[data-told=verdict]")

    def places():
        return {name: page.locator(name).first.bounding_box() for name in names}

    before = places()
    page.get_by_role("button", name="Train").click()
    done(page)
    assert places() == before


def test_a_link_that_cannot_be_is_refused_with_a_page(browser, base):
    page = browser.new_page()
    answer = page.goto(f"{base}/?alpha=nan")
    assert answer.status == 400 and "takes a number" in page.locator("main").inner_text()
    page.close()
