"""`python docs/hooks/screens.py`: pictures of the page in docs/images, by Chromium; needs the extras `dev` and `web`."""

import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from lazyrich.errors import BadInput

IMAGES = pathlib.Path(__file__).parents[1] / "images"
ARGUMENTS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
COMPARED = "/?experiment=grokking&alpha=60&b.alpha=4"


def main() -> None:
    """Serve an empty store, and photograph playground, comparison and claims."""
    from playwright.sync_api import sync_playwright

    if (chromium := shutil.which("chromium")) is None:
        raise BadInput(needed="chromium draws the pages", given="no such command", cure="On Debian: apt-get install chromium.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as store, sync_playwright() as playwright:
        words = [sys.executable, "-m", "lazyrich", "serve", "--port", str(port), "--store", store]
        server = subprocess.Popen(words)
        try:
            wait_for(port)
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            for name, path, size, scheme in (
                ("playground", "/", (1180, 800), "light"),
                ("compare", COMPARED, (1280, 810), "dark"),
                ("claims", "/claims", (1100, 760), "light"),
            ):
                page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
                page.goto(f"http://127.0.0.1:{port}{path}")
                if name != "claims":
                    page.locator("figure[data-side=a]:not([aria-busy])").wait_for(timeout=120_000)
                    page.get_by_role("button", name="Train").click()
                    page.get_by_text(re.compile(r"^done in")).wait_for(timeout=120_000)
                    page.mouse.move(0, 0)
                page.screenshot(path=IMAGES / f"page-{name}.png")
                print(f"page-{name}.png")
            browser.close()
        finally:
            server.terminate()
            server.wait()


def wait_for(port: int, seconds: float = 120) -> None:
    """Wait until the page answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    main()
