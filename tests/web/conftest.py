"""The page as browsers meet it, over a store of its own."""

import pytest
from visiting import Visitor, served, wait_for


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The application over an empty store, with the records of this checkout, and its port."""
    from lazyrich.desk import results_folder
    from lazyrich.lab import Store

    with served(Store(tmp_path_factory.mktemp("store")), results_folder()) as found:
        yield found


@pytest.fixture(scope="session")
def house(site):
    return site[0].state.house


@pytest.fixture
def visitor(site, house):
    yield Visitor(site[1])
    wait_for(lambda: house.line.busy == 0)
