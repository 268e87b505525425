"""Whether the definitions that a claim reaches are those of an older source, but for names: the map is renames.json.

`names` are old names with those that each may have today; within a definition no two become one, `merged` ones excepted,
which stand for two old names of different objects. `texts` are constants that became a text, `listed` keywords whose one value
became a list. `reworked` are definitions of today, `module:name`, that differ by more, each with what differs.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lazyrich.lab.parsing import program
from lazyrich.lab.provenance.dependencies import Place, Sources, bound
from lazyrich.lab.provenance.normal import SORTED, called, is_alias

_NAME = re.compile(r"([A-Za-z_]\w*)")

Item = str | Place
"""A token, or the definition that is named there."""


@dataclass(frozen=True)
class Renames:
    """The map, as renames.json has it."""

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    listed: Mapping[str, str] = field(default_factory=dict)
    merged: Sequence[str] = ()
    reworked: Mapping[str, str] = field(default_factory=dict)

    def prepare(self, text: str) -> ast.Module:
        """An old program in the new form, but for names; statements keep their lines."""
        return _InNewForm(self).visit(program(text))

    def differences(self, old: Sequence[Item], new: Sequence[Item]) -> str:
        """What keeps the tokens of two definitions from being one; nothing if they are."""
        if len(old) != len(new):
            return "other code"
        back: dict[str, str] = {}
        for at, (a, b) in enumerate(zip(old, new, strict=True)):
            if not isinstance(a, str) or not isinstance(b, str):
                if type(a) is not type(b):
                    return f"other code: {_around(old, at)} | {_around(new, at)}"
                continue
            if a != b and not self._one(a, b):
                return f"other code: {_around(old, at)} | {_around(new, at)}"
            for one, other in zip(_names(a), _names(b), strict=True):
                if (also := back.setdefault(other, one)) != one and other not in self.merged:
                    return f"{one} and {also} are both {other}: {_around(new, at)}"
        return ""

    def _one(self, old: str, new: str) -> bool:
        """Whether two tokens are equal but for names that may differ."""
        a, b = _NAME.split(old), _NAME.split(new)
        names = zip(a[1::2], b[1::2], strict=False)
        return a[::2] == b[::2] and all(x == y or y in self.names.get(x, ()) for x, y in names)


class _InNewForm(ast.NodeTransformer):
    """Puts texts in the place of names and lists in the place of values; sorted keywords get their names of today."""

    def __init__(self, renames: Renames):
        self._renames = renames

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
        known = isinstance(node.ctx, ast.Load) and node.id in self._renames.texts
        return ast.Constant(self._renames.texts[node.id]) if known else node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        name = self._renames.listed.get(node.arg or "")
        return ast.keyword(name, ast.List([node.value], ast.Load())) if name else node

    def visit_Call(self, node: ast.Call) -> ast.Call:  # noqa: N802
        self.generic_visit(node)
        if called(node) in SORTED:
            for word in node.keywords:
                word.arg = self._renames.names.get(word.arg or "", [word.arg])[0]
        return node


def items(sources: Sources, place: Place) -> list[Item]:
    """The tokens of a definition; what only gives another name to something stands as that."""
    found: list[Item] = []
    for part in sources.resolved(place):
        for one in part:
            alias = not isinstance(one, str) and len(part) == 1 and is_alias(sources.read(one[0]).nodes[one[1]])
            found += items(sources, one) if alias else [one]
    return found


def unmatched(
    renames: Renames, there: Sources, old: Collection[Place], here: Sources, new: Collection[Place]
) -> dict[Place, str]:
    """The definitions of `new` that are none of `old`, each with the nearest difference.

    Two match where their tokens do and all that they name matches in turn; a reworked definition stands for any.
    """
    before, after = ({place: items(sources, place) for place in places} for sources, places in ((there, old), (here, new)))
    lengths = defaultdict(list)
    for place, found in before.items():
        lengths[len(found)].append(place)
    free = {place for place in new if named(here, place) in renames.reworked}
    why: dict[Place, str] = {}
    matches: dict[Place, set[Place]] = {}
    for place in set(new) - free:
        said = {one: renames.differences(before[one], after[place]) for one in lengths[len(after[place])]}
        matches[place] = {one for one, difference in said.items() if not difference}
        why[place] = max(said.values(), key=len, default="other code")
    shrunk = True
    while shrunk:
        shrunk = False
        for place, ones in matches.items():
            kept = {one for one in ones if _names_alike(before[one], after[place], matches, free)}
            shrunk = shrunk or kept != ones
            matches[place] = kept
    return {place: why[place] or "names other definitions" for place, ones in matches.items() if not ones}


def _names_alike(old: Sequence[Item], new: Sequence[Item], matches: Mapping[Place, set[Place]], free: set[Place]) -> bool:
    pairs = ((a, b) for a, b in zip(old, new, strict=True) if not isinstance(a, str) and not isinstance(b, str))
    return all(b in free or b not in matches or a in matches[b] for a, b in pairs)


def named(sources: Sources, place: Place) -> str:
    """A definition as `module:name`, the package left out."""
    names = ",".join(sorted(set(bound(sources.read(place[0]).nodes[place[1]]))))
    return f"{place[0].partition('.')[2]}:{names}"


def _names(token: str) -> list[str]:
    return [] if token[:1] in "#%;" else _NAME.findall(token)


def _around(found: Sequence[Item], at: int) -> str:
    return " ".join(one if isinstance(one, str) else one[0].rpartition(".")[2] for one in found[max(0, at - 12) : at + 6])
