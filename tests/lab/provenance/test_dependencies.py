"""What a claim depends on is followed through its imports, and nothing else changes its digest."""

import ast
import re

import pytest

from lazyrich.claims import every
from lazyrich.lab import dependencies
from lazyrich.lab.dependencies import Sources, bare
from lazyrich.lab.provenance import PACKAGE

HOUSE = {
    "__init__.py": "from .rooms import Chair",
    "rooms/__init__.py": "from .chair import Chair\nfrom .table import Table as Desk",
    "rooms/chair.py": "from ..wood import PLANK\n\n\nclass Chair:\n    legs = 4",
    "rooms/table.py": "class Table:\n    legs = 3",
    "rooms/lamp.py": "import math",
    "wood.py": "PLANK = 2",
    "lazy/__init__.py": "if TYPE_CHECKING:\n    from .late import Late\n\n\ndef __getattr__(name): ...",
    "lazy/late.py": "Late = 1",
    "claims/sits.py": "from ..rooms import Chair",
    "claims/writes.py": "def judge():\n    from ..rooms import Desk",
    "claims/reads.py": "from ..rooms import lamp\nimport numpy as np\nfrom scipy import special",
    "claims/all.py": "from .. import rooms",
    "claims/whole.py": "import house.wood",
    "claims/top.py": "from house import Chair",
    "claims/waits.py": "from ..lazy import Late",
    "claims/twice.py": "def f():\n    from ..wood import x\n\n\ndef g():\n    from ..rooms.lamp import x",
    "claims/own.py": "from . import sits",
}


@pytest.fixture
def house(tmp_path):
    for name, text in HOUSE.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return tmp_path / "house"


@pytest.mark.parametrize(
    ("claim", "others"),
    [
        ("sits", "rooms.chair wood"),
        ("writes", "rooms.table"),
        ("reads", "rooms.lamp"),
        ("all", "rooms rooms.chair rooms.table wood"),
        ("whole", "wood"),
        ("top", "rooms.chair wood"),
        ("waits", "lazy.late"),
        ("twice", "wood rooms.lamp"),
        ("own", "claims.sits rooms.chair wood"),
    ],
)
def test_imports_are_followed_to_the_file_that_makes_a_name(house, claim, others):
    wanted = {f"house.{name}" for name in others.split()}
    assert Sources(house).modules(f"house.claims.{claim}") == wanted | {f"house.claims.{claim}"}


def digests(house) -> dict[str, str]:
    sources = Sources(house)
    return {path.stem: sources.digest(f"house.claims.{path.stem}") for path in (house / "claims").iterdir()}


@pytest.mark.parametrize(
    ("file", "touched"),
    [
        ("claims/sits.py", {"sits", "own"}),
        ("claims/writes.py", {"writes"}),
        ("wood.py", {"sits", "all", "whole", "top", "own", "twice"}),
        ("rooms/table.py", {"writes", "all"}),
        ("rooms/__init__.py", {"all"}),
        ("lazy/late.py", {"waits"}),
    ],
)
def test_a_change_touches_only_what_depends_on_it(house, file, touched):
    before = digests(house)
    with (house / file).open("a", encoding="utf-8") as text:
        text.write("more = 1\n")
    after = digests(house)
    assert {name for name in before if before[name] != after[name]} == touched


def test_what_is_set_apart_changes_no_digest_but_is_followed(house):
    def told(apart):
        return Sources(house, apart).digest("house.claims.sits")

    before = told(["rooms.chair"])
    for file, same in (("rooms/chair.py", True), ("wood.py", False)):
        with (house / file).open("a", encoding="utf-8") as text:
            text.write("more = 1\n")
        assert (told(["rooms.chair"]) == before) == same


def test_the_frame_is_there():
    sources = Sources(PACKAGE)
    followed = set().union(*(sources.modules(claim.module) for claim in every()))
    assert {f"lazyrich.{name}" for name in dependencies.FRAME} <= followed


def test_comments_docstrings_and_empty_lines_do_not_count(house):
    before = digests(house)
    chair = house / "rooms" / "chair.py"
    chair.write_text(
        '"""A chair: größer."""\n\nfrom ..wood import PLANK  # ä remark\n\n\n# of wood\nclass Chair:\n'
        '    """Words\n    and more words."""\n\n    legs = 4\n',
        encoding="utf-8",
    )
    assert digests(house) == before
    chair.write_text(chair.read_text(encoding="utf-8").replace("legs = 4", 'legs = 4; name = "# ä"'), encoding="utf-8")
    assert digests(house)["sits"] != before["sits"]


def test_what_is_left_of_a_program():
    program = 'x = "ä # no remark"  # ä remark\ndef f():\n    """Say."""\n    return """kept"""\n\ndef g(): "words"; return 1\n'
    assert bare(program, ast.parse(program)).splitlines() == [
        'x = "ä # no remark"',
        "def f():",
        '    return """kept"""',
        "def g(): ; return 1",
    ]


def test_every_claim_of_ours_has_a_digest_of_its_own():
    claims = list(every())
    found = [dependencies.digest(claim.module) for claim in claims]
    assert len(set(found)) == len(claims) and all(re.fullmatch("[0-9a-f]{16}", one) for one in found)
    sources = Sources(PACKAGE)
    for claim in claims:
        rooms = {module.split(".")[1] for module in sources.modules(claim.module)}
        assert {"claims", "lab"} <= rooms and rooms.isdisjoint({"report", "desk", "cli", "web"})
