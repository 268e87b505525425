"""Claims, runs and what all pages share, in a real browser."""

import re

import pytest
from browser_tools import LEMMA, MARKS, count_pixels, wait_done
from web_client import SMALL

pytestmark = MARKS


def test_a_claim_is_run_from_its_page(visit):
    page = visit(f"/claims/{LEMMA}.html")
    page.get_by_role("button", name="Run it").click()
    page.locator("#state", has_text=re.compile("holds, in .* stored as")).wait_for(timeout=60_000)
    page.get_by_role("link", name="Show the new result").click()
    page.locator("section.verdict .badge.holds").wait_for()
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_label("condition").fill("verdict == 'holds'")
    page.keyboard.press("Enter")
    page.locator(".runs a").first.click()
    page.get_by_role("heading", name="How it was judged").wait_for()


def test_claims_are_filtered(visit):
    page = visit("/claims")
    page.locator("#filters").wait_for()
    total = page.locator(".claims > li").count()
    page.keyboard.press("/")
    page.keyboard.type("grok")
    page.locator("select[name=paper]").select_option("lyu2024")
    page.get_by_label("kind").select_option("figure")
    shown = page.locator(".claims > li:visible")
    assert 0 < shown.count() < total
    assert {row.get_attribute("data-paper") for row in shown.all()} == {"lyu2024"}
    assert all("grok" in row.get_attribute("data-text") for row in shown.all())


def test_light_and_dark(visit):
    page = visit(f"/?{SMALL}&go=1", color_scheme="dark")
    wait_done(page)

    def background():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert background() == "rgb(20, 23, 26)" and count_pixels(page, "measured") > 100
    page.get_by_role("button", name="light and dark").click()
    assert background() == "rgb(251, 251, 250)" and count_pixels(page, "measured") > 100
    page.reload()
    assert background() == "rgb(251, 251, 250)"  # the choice is remembered
    wait_done(page)


@pytest.mark.parametrize("path", [f"/?{SMALL}&b.strength=0.01&go=1", "/claims", f"/claims/{LEMMA}.html", "/runs"])
def test_the_page_fits_a_phone(visit, path):
    page = visit(path, viewport={"width": 375, "height": 740})
    if "go=1" in path:
        wait_done(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_an_invalid_link_gets_an_error_page(browser, address):
    page = browser.new_page()
    response = page.goto(f"{address}/?alpha=nan")
    assert response.status == 400 and "takes a number" in page.locator("main").inner_text()
    page.close()
