"""What mkdocs calls while it builds the site."""

import pathlib
import posixpath
import re

import api
import links
import pages
import quotes
import shown
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).parents[2]
KATEX = ROOT / "src" / "lazyrich" / "report" / "assets" / "katex"
FIGURE = re.compile(r"^<!-- figure: (\S+) -->$", re.MULTILINE)

_shown: dict[str, shown.Shown] = {}


def on_config(config):
    """Put the API at the end of the menu."""
    config.nav[-1]["Reference"].append({"API": ["api/index.md", *(f"api/{name}.md" for name in api.MODULES)]})
    return config


def on_files(files, *, config):
    """Add the pages that are made of code and records, and the program that typesets formulas."""
    _shown.update({one.claim.id: one for one in shown.gather(pathlib.Path(config.docs_dir))})
    made = {**pages.pages(list(_shown.values())), **api.pages()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    for path in sorted(KATEX.rglob("*")):
        if path.is_file():
            name = f"assets/katex/{path.relative_to(KATEX).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(text, *, page, config, files):
    """Fill in the code and the figures that a page names."""
    try:
        text = quotes.filled(text, ROOT)
    except (LookupError, OSError) as error:
        raise PluginError(f"{page.file.src_uri}: {error}") from error
    return FIGURE.sub(lambda mark: _figure(mark[1], page), text)


def _figure(identity: str, page) -> str:
    one = _shown.get(identity)
    if one is None or one.picture is None:
        raise PluginError(f"{page.file.src_uri} shows {identity}; got no picture of it in docs/results or docs/images.")
    return pages.figure(one, posixpath.dirname(page.file.src_uri) or ".")


def on_post_build(*, config):
    """Walk every link of the built site."""
    if found := links.broken(pathlib.Path(config.site_dir)):
        raise PluginError("The site has broken links or outside files:\n" + "\n".join(found))
