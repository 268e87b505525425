"""Claims are listed from a file that says the same as they do, and without it from themselves."""

import json
import subprocess
import sys

import pytest

from lazyrich.claims import every, manifest, registry
from lazyrich.cli.manifest import PLACE, main
from lazyrich.errors import BadInput


def test_the_manifest_says_what_the_claims_say(tmp_path):
    main(tmp_path / "made.json")
    made, kept = ((place.read_text(encoding="utf-8")) for place in (tmp_path / "made.json", PLACE))
    assert made == kept, "a claim changed what it says of itself: run `make manifest`"
    assert [one["id"] for one in json.loads(kept)["claims"]] == registry.identities()


@pytest.mark.parametrize("text", [None, "", '{"claims": [{', '{"other": []}', "[]"])
def test_without_a_whole_manifest_the_claims_are_asked(tmp_path, monkeypatch, text):
    if text is not None:
        (tmp_path / manifest.FILE).write_text(text)
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path)
    manifest.read.cache_clear()
    try:
        assert manifest.read(registry.HOME) == {}
        assert list(registry.descriptions("bridges")) == [claim.described() for claim in every("bridges")]
    finally:
        manifest.read.cache_clear()


def test_aliases_lead_to_their_claims():
    described = {one["id"]: one for one in registry.descriptions()}
    aliases = {alias: one["id"] for one in described.values() for alias in one["aliases"]}
    assert len(aliases) > 20
    for alias, identity in aliases.items():
        assert registry.resolved(alias) == identity and registry.description(alias) == described[identity]
    with pytest.raises(BadInput, match="The nearest: lyu2024/figure_1a"):
        registry.resolved("lyu2024/figure_1aa")


@pytest.mark.parametrize("words", ["list", "list grok --json", "--help", "run --help"])
def test_nothing_heavy_is_imported_to_list_claims(words):
    asks = (
        f"import sys; sys.argv[1:] = {words.split()!r}\n"
        "import lazyrich.cli, atexit\n"
        "heavy = {'jax', 'numpy', 'scipy', 'equinox', 'diffrax', 'xarray', 'matplotlib', 'sqlalchemy', 'lazyrich.claims.base'}\n"
        "atexit.register(lambda: print('heavy:', sorted(heavy & set(sys.modules)), file=sys.stderr))\n"
        "lazyrich.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True)
    assert "heavy: []" in done.stderr, done.stderr
