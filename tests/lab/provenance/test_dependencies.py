"""What a claim depends on is followed through its imports, and nothing else changes its digest."""

import re
from functools import partial

import numpy as np
import pytest

from lazyrich.claims import every
from lazyrich.lab.provenance import dependencies
from lazyrich.lab.provenance.dependencies import FRAME, Sources
from lazyrich.lab.provenance.functions import describe
from lazyrich.lab.provenance.source import PACKAGE

HOUSE = {
    "__init__.py": "from .rooms import Chair",
    "rooms/__init__.py": "from .chair import Chair\nfrom .table import Table as Desk",
    "rooms/chair.py": "from ..wood import PLANK\n\n\nclass Chair:\n    legs = 4 * PLANK",
    "rooms/table.py": "class Table:\n    legs = 3",
    "rooms/lamp.py": "import math\n\nx = 2 * math.pi",
    "wood.py": "PLANK = x = 2\nOTHER = 3",
    "lazy/__init__.py": "if TYPE_CHECKING:\n    from .late import Late\n\n\ndef __getattr__(name): ...",
    "lazy/late.py": "Late = 1",
    "claims/sits.py": "from ..rooms import Chair\n\nCLAIM = Claim(judge=Chair)",
    "claims/writes.py": "def judge():\n    from ..rooms import Desk\n\n    return Desk\n\n\nCLAIM = Claim(judge=judge)",
    "claims/reads.py": "from ..rooms import lamp\nimport numpy as np\n\nCLAIM = Claim(judge=lamp.x + np.pi)",
    "claims/all.py": "from .. import rooms\n\nCLAIM = Claim(judge=rooms)",
    "claims/top.py": "from house import Chair\n\nCLAIM = Claim(judge=Chair)",
    "claims/waits.py": "from ..lazy import Late\n\nCLAIM = Claim(judge=Late)",
    "claims/twice.py": (
        "def f():\n    from ..wood import x\n\n    return x\n\n\ndef g():\n    from ..rooms.lamp import x\n\n    return x\n\n\n"
        "CLAIM = Claim(judge=f() + g())"
    ),
    "claims/idle.py": "from ..rooms import Chair\n\n\ndef unused():\n    return Chair\n\n\nCLAIM = Claim(judge=1)",
}


@pytest.fixture
def house(tmp_path):
    for name, text in HOUSE.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return tmp_path / "house"


def claim(name: str) -> dict[str, str]:
    """A claim's statement, as `describe` would say where something is defined."""
    return {"module": f"house.claims.{name}", "name": "CLAIM"}


def serial(house, name: str, apart=()) -> list[str]:
    return Sources(house, apart).serial(claim(name))


def serials(house) -> dict[str, list[str]]:
    return {path.stem: serial(house, path.stem) for path in (house / "claims").iterdir()}


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("sits", "rooms.chair wood"),
        ("writes", "rooms.table"),
        ("reads", "rooms.lamp"),
        ("all", "rooms.chair rooms.table wood"),
        ("top", "rooms.chair wood"),
        ("waits", "lazy.late"),
        ("twice", "wood rooms.lamp"),
        ("idle", ""),
    ],
)
def test_imports_are_followed_to_the_definition_of_a_name(house, name, others):
    found = Sources(house).modules(claim(name))
    assert found == {f"house.{other}" for other in f"claims.{name} {others}".split()}


@pytest.mark.parametrize(
    ("file", "old", "new", "touched"),
    [
        ("claims/writes.py", "return Desk", "return Desk()", {"writes"}),
        ("wood.py", "2", "5", {"sits", "all", "top", "twice"}),
        ("wood.py", "3", "5", set()),
        ("rooms/table.py", "3", "5", {"writes", "all"}),
        ("rooms/lamp.py", "pi", "e", {"reads", "twice"}),
        ("claims/idle.py", "return Chair", "return 7", set()),
        ("lazy/late.py", "1", "2", {"waits"}),
    ],
)
def test_a_change_touches_only_what_depends_on_it(house, file, old, new, touched):
    before = serials(house)
    path = house / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    after = serials(house)
    assert {name for name in before if before[name] != after[name]} == touched


def test_what_a_module_does_when_it_is_imported_counts(house):
    before = serials(house)
    with (house / "rooms" / "chair.py").open("a", encoding="utf-8") as file:
        file.write("register(Chair)\n")
    after = serials(house)
    assert {name for name in before if before[name] != after[name]} == {"sits", "all", "top"}


def test_what_is_set_apart_is_a_name_alone(house):
    before = serial(house, "sits", apart=["house.rooms.chair"])
    (house / "wood.py").write_text("PLANK = 7", encoding="utf-8")
    assert serial(house, "sits", apart=["house.rooms.chair"]) == before
    assert any("Chair" in token for token in before)


def moved(house, text: str) -> list[str]:
    (house / "claims" / "sits.py").write_text(text, encoding="utf-8")
    return serial(house, "sits")


def test_where_a_definition_stands_and_what_it_is_called_does_not_count(house):
    before = serial(house, "sits")
    assert (
        moved(house, "from ..wood import PLANK as P\n\n\nclass Stool:\n    legs = 4 * P\n\n\nCLAIM = Claim(judge=Stool)")
        == before
    )
    assert moved(house, "from ..rooms.chair import Chair as C\n\nMINE = C\nCLAIM = Claim(judge=MINE)") == before
    assert (
        moved(house, "from ..wood import PLANK\n\n\nclass Stool:\n    feet = 4 * PLANK\n\n\nCLAIM = Claim(judge=Stool)") != before
    )


FORWARDS = "from ..rooms import Chair\n\n{}\n\nCLAIM = Claim(judge={})"


def test_a_function_that_only_passes_on_counts_as_what_it_passes_to(house):
    plain = moved(house, FORWARDS.format("", "Chair"))
    assert moved(house, FORWARDS.format("def judge(data, d):\n    return Chair(data, d)", "judge")) == plain
    assert moved(house, FORWARDS.format("def judge(data, d):\n    return Chair(data, d=d)", "judge")) == plain
    fixed = moved(house, FORWARDS.format("from functools import partial", "partial(Chair, power=2)"))
    assert fixed != plain
    assert (
        moved(house, FORWARDS.format("def judge(data, d):\n    '''Words.'''\n    return Chair(data, d, power=2)", "judge"))
        == fixed
    )
    assert moved(house, FORWARDS.format("def judge(data, d):\n    return Chair(data, d, power=3)", "judge")) != fixed
    for text in ("Chair(data, power=d)", "Chair(data, 2 * d)", "Chair(data, d).legs"):
        assert moved(house, FORWARDS.format(f"def judge(data, d):\n    return {text}", "judge")) not in (plain, fixed)


JUDGE = '''
from errors import BadInput


def judge(data, bound):
    """Words."""
    # more words
    if bound < 0:
        raise BadInput(needed="a bound", given="none", cure="Give one.")
    worst = data.max()
    return Evidence(holds=[at_most("the worst", worst, bound, why="because", key="worst")])


CLAIM = Claim(
    id="claims/sits", title="A title", says="It is so.", judge=judge, constants={"bound": 3},
    controls=[Control("a world", changes={"bound": 2}, breaks=("worst",))]
)
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Words."""', '"""Other."""'),
        ("# more words\n", "\n"),
        ("the worst", r"the largest $\\alpha$"),
        ('why="because"', 'why="for a reason", basis="derived"'),
        ('key="worst"', 'key="largest"'),
        ('breaks=("worst",)', 'kind="rival", breaks=("largest",)'),
        ("A title", "Another"),
        ("It is so.", r"$x \\leq 1$"),
        ("(data, bound)", "(data, bound: float) -> Evidence"),
        ("worst = data", "largest = data"),
        ("bound < 0", "bound < 1"),
        ('"none"', '"nothing"'),
        ("judge=judge, constants", "judge=judge, draw=draw, notices=('fault',), constants"),
        ('judge=judge, constants={"bound": 3}', 'constants={"bound": 3}, judge=judge'),
    ],
)
def test_words_annotations_and_drawings_do_not_count(house, old, new):
    before = moved(house, JUDGE)
    text = JUDGE.replace(old, new)
    assert text != JUDGE
    assert (
        moved(house, text.replace('"the worst", worst', '"the worst", largest') if "largest = data" in text else text) == before
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("data.max()", "data.min()"),
        ("worst, bound, why", "worst, 2 * bound, why"),
        ("at_most(", "at_least("),
        ("holds=", "sound="),
        ('{"bound": 3}', '{"bound": 4}'),
        ('changes={"bound": 2}', 'changes={"bound": 1}'),
        ("data, bound):", "data, bound=3):"),
    ],
)
def test_what_a_reading_depends_on_counts(house, old, new):
    before = moved(house, JUDGE)
    assert JUDGE.replace(old, new) != JUDGE
    assert moved(house, JUDGE.replace(old, new)) != before


def test_the_frame_is_there():
    for name in FRAME:
        place = PACKAGE.joinpath(*name.split(".")[1:])
        assert place.with_suffix(".py").is_file(), name


def double(x, *, factor=2):
    return factor * x


def made(power):
    def inner(x):
        return x**power

    return inner


def test_a_value_is_described_by_what_it_is():
    assert describe({"b": (1, 2.5), "a": np.arange(2)}) == {"a": [0, 1], "b": [1, 2.5]}
    assert describe(double) == {"module": __name__, "line": double.__code__.co_firstlineno}
    assert describe(partial(double, factor=3))["fixed"] == {"factor": 3}
    assert describe(made(2)) != describe(made(3)) == describe(made(3))
    assert describe(Sources)["name"] == "Sources"


def test_a_function_from_elsewhere_counts_by_its_text(tmp_path, monkeypatch):
    """A claim in a notebook or in another package: its text is found, what it calls there is a name."""
    monkeypatch.syspath_prepend(tmp_path)
    digests = []
    for text in ("x + 1", "x + 2", "x + 1"):
        name = f"outside_{len(digests)}"
        (tmp_path / f"{name}.py").write_text(f"def judge(x):\n    # {name}\n    return {text}\n", encoding="utf-8")
        digests.append(dependencies.digest({"judge": __import__(name).judge}))
    assert digests[0] == digests[2] != digests[1]


def test_digest_and_parameters_tell_every_claim_of_ours_from_the_others():
    claims = list(every())
    judged = [one for one in claims if one.kind != "drawing"]
    assert all(re.fullmatch("[0-9a-f]{16}", one.digest) for one in judged)
    # Claims of one family may differ in their parameters alone: these stand in each record beside the digest.
    whole = {(one.digest, *(str(one.resolve(size).values) for size in ("quick", "paper"))) for one in judged}
    assert len(judged) == len(whole)
    sources = Sources(PACKAGE, FRAME)
    for one in claims[::7]:
        rooms = {module.split(".")[1] for module in sources.modules(describe([one.judge, one.simulation.simulate]))}
        assert rooms.isdisjoint({"report", "api", "cli", "web"})
