"""Starting the server: missing packages and a taken port are refused."""

import importlib.util

import pytest

from lazyrich.errors import BadInput, StoreFault
from lazyrich.web.serving import bind, serve


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "uvicorn" else find(name))
    with pytest.raises(BadInput, match=r"a Python without uvicorn. Install the extra web: pip install 'lazyrich\[web\]'"):
        serve(str(tmp_path))


def test_a_taken_port_is_refused(tmp_path):
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(StoreFault, match="free port"):
            serve(str(tmp_path), port=taken.getsockname()[1])


def test_a_port_is_a_port(tmp_path):
    with pytest.raises(BadInput, match="a port is"):
        serve(str(tmp_path), port=70_000)
