import pathlib

import pytest
import quotes

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if quotes.MARK.search(path.read_text(encoding="utf-8"))]
CODE = '''
LIMIT = 3
named: int = 4

@decorated
def first(x):
    """Says so."""
    return x

class Second:
    """A class."""

    @property
    def third(self):
        return 3

CLAIMS = (
    Claim(
        id="paper/item",
        title="A title",
    ),
)
'''


@pytest.fixture
def file(tmp_path) -> pathlib.Path:
    path = tmp_path / "code.py"
    path.write_text(CODE)
    return path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_quotes_is_there(page):
    text = page.read_text(encoding="utf-8")
    filled = quotes.filled(text, ROOT)
    assert filled.count("```python title=") == len(quotes.MARK.findall(text)) > 0
    assert quotes.MARK.search(filled) is None


def test_some_page_quotes():
    assert "adding" in [page.stem for page in PAGES]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("LIMIT", "LIMIT = 3"),
        ("named", "named: int = 4"),
        ("first", '@decorated\ndef first(x):\n    """Says so."""\n    return x'),
        ("paper/item", 'Claim(\n    id="paper/item",\n    title="A title",\n)'),
        ("Second.third", "@property\ndef third(self):\n    return 3"),
    ],
)
def test_code_by_name(file, name, lines):
    assert quotes.quoted(file, name) == lines


@pytest.mark.parametrize("name", ["fourth", "Second.fourth", "third", "paper/other"])
def test_a_name_that_is_not_there_is_an_error(file, name):
    with pytest.raises(LookupError, match="no such name"):
        quotes.quoted(file, name)
    with pytest.raises(LookupError, match="no such name"):
        quotes.filled(f"# Page\n\n<!-- quote: {file.name} {name} -->\n", file.parent)
