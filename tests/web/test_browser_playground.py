"""The playground in a real browser."""

import re

import pytest
from browser_tools import MARKS, cell, count_pixels, numbers, wait_done, wait_forecast
from web_client import SMALL, wait_for

import lazyrich.web.endpoints as endpoints

pytestmark = MARKS


def test_the_page_is_painted_within_a_second(visit):
    paints = []
    for _ in range(3):
        page = visit("/")
        wait_forecast(page)
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(paints) < 1_000, f"{paints} ms"  # other tests share the cores


def test_the_forecast_is_drawn_before_training_and_follows_a_slider(visit):
    page = visit("/?experiment=grokking")
    wait_forecast(page)
    assert count_pixels(page, "theory") > 100 and count_pixels(page, "measured") == 0
    before = numbers(cell(page, "transition").inner_text())
    box = page.locator("#a-alpha").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.65, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, middle, steps=5)
    page.mouse.up()
    assert float(page.locator("#a-alpha-number").input_value()) > 20
    page.locator("figure[data-side=a]:not([aria-busy])").wait_for()
    page.locator("[data-cell=transition]", has_text=re.compile(rf"^(?!{before[0]:g} )\d")).first.wait_for()
    after = numbers(cell(page, "transition").inner_text())
    assert after[0] > 1.3 * before[0]  # a larger initialization takes longer, log(alpha)/weight_decay
    assert "alpha=" in page.url


def test_a_curve_grows_and_the_transition_is_in_the_forecast_interval(visit):
    page = visit("/?experiment=grokking", motion="no-preference")
    wait_forecast(page)
    page.get_by_role("button", name="Train").click()
    page.locator("figure[data-side=a][data-updates]").wait_for()
    early = count_pixels(page, "measured")
    wait_done(page)
    assert count_pixels(page, "measured") > early + 200
    assert int(page.locator("figure[data-side=a]").get_attribute("data-updates")) == 60
    middle, low, high = numbers(cell(page, "transition").inner_text().replace("–", " "))
    (measured,) = numbers(cell(page, "measured-transition").inner_text())
    assert low < middle < high and low <= measured <= high
    assert "inside the forecast interval" in cell(page, "verdict").inner_text()
    assert numbers(cell(page, "early").inner_text())[0] == pytest.approx(
        numbers(cell(page, "measured-early").inner_text())[0], abs=0.05
    )


def test_a_link_reproduces_the_view(visit):
    page = visit(f"/?{SMALL}")
    wait_forecast(page)
    page.locator("#a-strength-number").fill("0.002")
    page.get_by_role("button", name="New seed").click()
    page.get_by_role("button", name="Train").click()
    wait_done(page)
    again = visit(page.url.removeprefix(page.url.split("/?")[0]))
    wait_done(again)
    assert "seed=1" in page.url and "strength=0.002" in page.url and page.url == again.url
    first, second = (one.locator("figure[data-side=a] .levels").inner_text() for one in (page, again))
    assert first == second and cell(page, "measured-transition").inner_text() != "–"


def test_reset_goes_back_to_the_same_initialization(visit):
    page = visit(f"/?{SMALL}&go=1")
    wait_done(page)
    before = page.locator("figure[data-side=a] .levels").inner_text()
    page.get_by_role("button", name="Reset").click()
    assert cell(page, "measured-transition").inner_text() == "–"
    wait_for(lambda: count_pixels(page, "previous") > 100)  # drawn with the next frame
    page.get_by_role("button", name="Train").click()
    wait_done(page)
    assert page.locator("figure[data-side=a] .levels").inner_text() == before


def test_two_settings_side_by_side(visit):
    page = visit(f"/?{SMALL}")
    wait_forecast(page)
    page.get_by_label("compare two settings").check()
    wait_forecast(page, "b")
    page.locator("#b-strength").press("ArrowLeft")
    page.locator("#b-strength").press("ArrowLeft")
    page.get_by_role("button", name="Train").click()
    wait_done(page)
    assert cell(page, "measured-transition", "a").inner_text() != cell(page, "measured-transition", "b").inner_text()
    a, b = (page.locator(f"figure[data-side={side}]").bounding_box() for side in "ab")
    assert a["y"] == b["y"] and a["x"] < b["x"] and "b.strength=" in page.url
    with page.expect_download() as waited:
        page.get_by_role("link", name="CSV").click()
    rows = waited.value.path().read_text().splitlines()
    assert len(rows) == 1 + 2 * 120 and len({row.split(",")[2] for row in rows[1:]}) == 2
    page.get_by_label("compare two settings").uncheck()
    assert "b." not in page.get_by_role("link", name="CSV").get_attribute("href")
    page.get_by_role("button", name="New seed").click()
    page.get_by_label("compare two settings").check()
    assert cell(page, "measured-transition", "b").inner_text() == "–"  # results of two seeds are not mixed


def test_downloads(visit):
    page = visit(f"/?{SMALL}&go=1")
    wait_done(page)
    for kind, start in (("SVG", b"<?xml"), ("PNG", b"\x89PNG"), ("Python", b'"""')):
        with page.expect_download() as waited:
            page.get_by_role("link", name=kind).click()
        assert waited.value.path().read_bytes().startswith(start)


def test_the_page_is_usable_during_a_training_and_closing_it_cancels(visit, services, monkeypatch):
    import time

    original = endpoints.train

    def slow(*given):
        for chunk in original(*given):
            yield chunk
            time.sleep(0.2)

    monkeypatch.setattr(endpoints, "train", slow)
    page = visit(f"/?{SMALL}&go=1")
    page.locator("figure[data-side=a][data-updates]").wait_for()
    page.get_by_role("link", name="Runs").focus()
    assert services.queue.size == 1
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("stopped").wait_for()
    wait_for(lambda: services.queue.size == 0, 5.0)
    page.get_by_role("button", name="Train").click()
    page.locator("#status", has_text="training").wait_for()
    page.close()
    wait_for(lambda: services.queue.size == 0, 5.0)


def test_the_playground_works_by_keyboard(visit):
    page = visit(f"/?{SMALL}")
    wait_forecast(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"

    def tab_to(wanted):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == wanted:
                return
        raise AssertionError(f"{wanted} is not reached by Tab")

    tab_to("a-strength")
    before = page.locator("#a-strength-number").input_value()
    page.keyboard.press("ArrowRight")
    assert float(page.locator("#a-strength-number").input_value()) > float(before)
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.id") == "a-strength-number"
    page.keyboard.press("Enter")
    wait_done(page)
    assert cell(page, "measured-transition").inner_text() != "–"


def test_the_layout_does_not_move_during_a_training(visit):
    page = visit(f"/?{SMALL}")
    wait_forecast(page)
    names = ("#train", ".chart canvas", ".levels", ".downloads", "#a-strength", "[data-cell=verdict]")

    def boxes():
        return {name: page.locator(name).first.bounding_box() for name in names}

    before = boxes()
    page.get_by_role("button", name="Train").click()
    wait_done(page)
    assert boxes() == before
