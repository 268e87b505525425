"""The server and the browser that the tests of the page share."""

import pytest
from browser_tools import ARGUMENTS, CHROMIUM
from web_client import SMALL, Client, serve_in_thread, wait_for


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The application over an empty store, with the records of this checkout, and its port."""
    from lazyrich.api.report import results_folder
    from lazyrich.lab import Store

    with serve_in_thread(Store(tmp_path_factory.mktemp("store")), results_folder()) as found:
        yield found


@pytest.fixture(scope="session")
def services(site):
    return site[0].state.services


@pytest.fixture
def client(site, services):
    yield Client(site[1])
    wait_for(lambda: services.queue.size == 0)


@pytest.fixture(scope="module")  # Playwright keeps an event loop: no other test file may run inside it
def browser():
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "LAZYRICH_BROWSER=required, and there is no chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(site):
    """The address of the server, with the programs of two experiments compiled."""
    client = Client(site[1])
    for query in (SMALL, "experiment=grokking"):
        assert client.events(f"/api/train?{query}")[-1][0] == "done"
    return f"http://127.0.0.1:{site[1]}"


@pytest.fixture
def visit(browser, address, services):
    """Opens a page; at the end there was no external request, no error in the console, and no task is left."""
    contexts, requests, errors = [], [], []

    def open_page(path="/", *, motion="reduce", **settings):
        settings = {"viewport": {"width": 1200, "height": 900}, **settings}
        context = browser.new_context(reduced_motion=motion, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
    assert [url for url in requests if not url.startswith((address, "data:"))] == []
    wait_for(lambda: services.queue.size == 0)
