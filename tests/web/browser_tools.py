"""Chromium, as Debian packages it, driven by Playwright: what the tests in a browser read off a page."""

import os
import re
import shutil

import pytest

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("LAZYRICH_BROWSER") != "required",
        reason="no chromium here: on Debian, apt-get install chromium",
    ),
]
LEMMA = "woodworth2020-lemma_6"


def cell(page, name, side="a"):
    return page.locator(f"figure[data-side={side}] [data-cell={name}]")


def wait_done(page):
    page.get_by_text(re.compile(r"^done in")).wait_for()


def wait_forecast(page, side="a"):
    """Waits until the forecast is shown."""
    page.locator(f"figure[data-side={side}] [data-cell=transition]", has_text=re.compile(r"\d|none")).wait_for()
    page.locator(f"figure[data-side={side}]:not([aria-busy])").wait_for()


def count_pixels(page, name, side="a"):
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
