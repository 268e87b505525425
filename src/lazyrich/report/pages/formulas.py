"""Formulas in running text: as claims write them for the terminal, made ready for KaTeX.

Claims say `alpha^-2 |X beta|_1 <= 1`, which reads well in a terminal. On a page each such piece becomes an element
that holds the same formula in TeX; without scripts the words stay as they were written. What stands between dollar
signs is TeX already. Nothing is rearranged: a piece is set sign by sign, so it cannot come to mean something else.
"""

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

GREEK = set(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi psi omega "
    "Gamma Delta Theta Lambda Sigma Phi Psi Omega".split()
)
FUNCTIONS = {
    "log": r"\log", "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh", "arcsinh": r"\operatorname{arcsinh}",
    "argmin": r"\operatorname{arg\,min}", "int": r"\int", "grad": r"\nabla",
}  # fmt: skip
# These are words too: they are functions where something follows at once.
HALF_WORDS = {
    "sum": r"\sum", "exp": r"\exp", "min": r"\min", "max": r"\max", "sign": r"\operatorname{sign}", "cos": r"\cos",
}  # fmt: skip
NAMES = {"eps": r"\varepsilon", "inf": r"\infty", "l1": r"\ell_1", "l2": r"\ell_2", "op": r"\mathrm{op}", "l": r"\ell"}
# Products of two letters, and parameters that papers have in formulas.
WORDS = {"kd": "kd", "cD": "cD", "dM": "dM", "dt": "dt", "decay": r"\mathrm{decay}"}
SIGNS = {
    "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "<<": r"\ll", ">>": r"\gg", "->": r"\to", "-/+": r"\mp", "+-": r"\pm",
    "~": r"\sim", "*": r"\cdot",
}  # fmt: skip
RELATIONS = {"<=", ">=", "!=", "<<", ">>", "=", "<", ">", "~"}
KINDS = {"tex": "atom", "angle": "atom", "letter": "other"}

_TOKEN = re.compile(
    r"(?P<tex>\$[^$\s](?:[^$]*[^$\s])?\$)"
    r"|(?P<angle><[a-z]'?, [a-z]'?>)"  # an inner product
    r"|(?P<letter>(?<![^\s])\([a-z]\)(?=\s))"  # of an enumeration
    r"|(?P<number>\d+(?:[.,]\d+)*(?:e[+-]?\d+)?)"
    r"|(?P<name>[A-Za-z]+\d*)"
    r"|(?P<sign><=|>=|!=|<<|>>|->|-/\+|\+-|[-+/=<>~*])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<bar>\|)|(?P<comma>,)|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_TAIL = re.compile(r"(?:['-][A-Za-z0-9]+)+")  # what makes a longer word of a word
_TAKEN = re.compile(rf"[_(]| \||(?! a\b) (?:[A-Za-z](?![A-Za-z'])|(?:{'|'.join(sorted(GREEK))})(?![a-z]))")
_ARGUMENT = re.compile(r"[+-]?(?:\d+(?:\.\d+)?[A-Z]?|[A-Za-z]+\d*)")
# A short formula is not broken, and no comma or period behind it begins a line.
SHORT = 24
_CLINGING = re.compile(r'(<span class="formula short" data-tex="[^"]*">[^<]*</span>)([,.;:)]+)')
_PAIRS = {"(": ")", "{": "}", "|": "|"}


@dataclass(frozen=True)
class Piece:
    """A piece of a text: as it was written, as TeX, and what it is."""

    raw: str
    tex: str
    kind: str


def as_html(text: str) -> str:
    """The text, escaped, with an element for each formula in it."""
    pieces = [_element(raw, tex) if tex else html.escape(raw) for raw, tex in split(text)]
    return _CLINGING.sub(r'<span class="whole">\1\2</span>', "".join(pieces))


def split(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with its TeX if it is a formula and else without."""
    pieces = _match_brackets(list(_pieces(text)))
    for run, mathematical in _runs(pieces):
        before, inner, after = _trim(run) if mathematical else (run, [], [])
        if inner and not _is_formula(inner):
            before, inner, after = run, [], []
        for part, tex in ((before, ""), (inner, "".join(p.tex for p in inner).strip()), (after, "")):
            if part:
                yield "".join(piece.raw for piece in part), tex


def _element(raw: str, tex: str) -> str:
    short = " short" if len(tex) <= SHORT else ""
    return f'<span class="formula{short}" data-tex="{html.escape(tex)}">{html.escape(raw.strip("$"))}</span>'


def _pieces(text: str, *, inside: bool = False) -> Iterator[Piece]:
    """Tokens from left to right, with subscripts, powers and primes; inside a formula every word is one of its names."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None and found.lastgroup is not None
        raw, kind, at = found.group(), found.lastgroup, found.end()
        if kind == "name":
            piece, at = _name(text, raw, at, inside=inside)
        else:
            piece = Piece(raw, _tex(raw, kind), KINDS.get(kind, kind))
        if piece.kind in ("atom", "number", "close", "bar"):
            piece, at = _decorated(text, piece, at)
        yield piece


def _tex(raw: str, kind: str) -> str:
    if kind == "tex":
        return raw[1:-1]
    if kind == "angle":
        return rf"\langle {raw[1:-1]}\rangle "
    if kind == "number":
        digits, _, power = raw.partition("e")
        factor = "" if digits == "1" else digits.replace(",", "{,}") + r"\cdot "
        return f"{factor}10^{{{int(power)}}}" if power else digits.replace(",", "{,}")
    return SIGNS.get(raw, raw) + (" " if raw in SIGNS else "")


def _name(text: str, raw: str, at: int, *, inside: bool) -> tuple[Piece, int]:
    """A name as a piece, and where it ends: a symbol, a function, or a word with all that hangs on it."""
    after = text[at : at + 1]
    if raw == "sqrt":
        inner, end = _argument(text, at + (after == " "))
        return Piece(text[at - 4 : end], rf"\sqrt{{{inner}}}", "atom"), end
    tex = _symbol(raw)
    if raw in HALF_WORDS and _TAKEN.match(text, at):
        tex = HALF_WORDS[raw] + " "
    if not inside and raw in ("a", "A") and not re.match(r"\s*[=<>^]", text[at:]):
        tex = None
    if tex is not None:
        return Piece(raw, tex, "atom"), at
    tail = _TAIL.match(text, at)
    whole = raw + (tail.group() if tail and not inside else "")
    return Piece(whole, rf"\mathrm{{{raw}}}", "atom" if inside else "word"), at - len(raw) + len(whole)


def _symbol(raw: str) -> str | None:
    """The TeX of a name that is a symbol wherever it stands."""
    if raw in GREEK:
        return f"\\{raw} "
    known = FUNCTIONS.get(raw) or NAMES.get(raw) or WORDS.get(raw)
    if known:
        return f"{known} "
    if len(raw) == 1:
        return raw
    return f"{raw[0]}_{{{raw[1:]}}}" if raw[1:].isdigit() and raw[0] in "bcdefghtuvwxyz" else None


def _decorated(text: str, piece: Piece, at: int) -> tuple[Piece, int]:
    """A piece with the primes, stars, subscripts and powers that follow it at once."""
    while at < len(text):
        sign, after = text[at], text[at + 1 : at + 2]
        if sign in "^_" and piece.kind != "number" or sign == "^":
            tex, end = _argument(text, at + 1)
            if not tex:
                break
            tex = {"T": r"\top"}.get(tex, tex) if sign == "^" else tex
            piece, at = replace(piece, raw=piece.raw + text[at:end], tex=f"{piece.tex}{sign}{{{tex}}}"), end
        elif piece.kind == "atom" and sign in "'*" and not after.isalnum():
            piece, at = replace(piece, raw=piece.raw + sign, tex=piece.tex + ("'" if sign == "'" else "^*")), at + 1
        else:
            break
    return piece, at


def _argument(text: str, at: int) -> tuple[str, int]:
    """What a subscript, a power or a root takes: a group in brackets, or one signed name or number."""
    opening = text[at : at + 1]
    if opening in _PAIRS and opening:
        end = _closing(text, at)
        inner = text[at + 1 : end - 1]
        tex = "".join(piece.tex for piece in _pieces(inner, inside=True)).strip()
        return (f"|{tex}|" if opening == "|" else tex), end
    found = _ARGUMENT.match(text, at)
    if not found:
        return "", at
    return "".join(piece.tex for piece in _pieces(found.group(), inside=True)).strip(), found.end()


def _closing(text: str, at: int) -> int:
    """One past the bracket that closes the one here, or the end of the text."""
    opening, depth = text[at], 0
    for place in range(at, len(text)):
        if text[place] == _PAIRS[opening] and (opening != "|" or place > at):
            depth -= 1
        elif text[place] == opening:
            depth += 1
        if depth == 0 or (opening == "|" and place > at and text[place] == "|"):
            return place + 1
    return len(text)


def _runs(pieces: list[Piece]) -> Iterator[tuple[list[Piece], bool]]:
    """Stretches without a word in them, and the stretches between."""
    run: list[Piece] = []
    state, depth = False, 0
    pieces = [_times(pieces, number) for number in range(len(pieces))]
    for number, piece in enumerate(pieces):
        depth += (piece.kind == "open") - (piece.kind == "close")
        fits = piece.kind not in ("word", "other") and (piece.kind != "comma" or depth > 0)
        if run and (fits != state or _begins_anew(pieces, number)):
            yield run, state
            run = []
        state = fits
        run.append(piece)
    if run:
        yield run, state


def _begins_anew(pieces: list[Piece], number: int) -> bool:
    """A number, or a remark in brackets such as (alpha <= 1), that stands behind a symbol and a space."""
    if number < 2 or pieces[number - 1].kind != "space" or pieces[number - 2].kind not in ("atom", "close", "number"):
        return False
    if pieces[number].kind == "open":
        inner = itertools.takewhile(lambda piece: piece.kind != "close", pieces[number:])
        return any(piece.raw in RELATIONS for piece in inner)
    return pieces[number].kind == "number" and pieces[number - 2].raw not in FUNCTIONS


def _times(pieces: list[Piece], number: int) -> Piece:
    """The letter x between two sizes is a sign."""
    around = pieces[max(0, number - 2) : number + 3]
    sizes = [p for p in (around[0], around[-1]) if p.kind == "number" or p.raw in ("d", "k", "n")]
    if pieces[number].raw == "x" and len(around) == 5 and len(sizes) == 2:
        return replace(pieces[number], tex=r"\times ", kind="sign")
    return pieces[number]


def _match_brackets(pieces: list[Piece]) -> list[Piece]:
    """Brackets that words stand between are no part of a formula."""
    waiting: list[tuple[int, bool]] = []
    lone: set[int] = set()
    for number, piece in enumerate(pieces):
        if piece.kind == "open":
            waiting.append((number, True))
        elif piece.kind == "close":
            start, clean = waiting.pop() if waiting else (number, False)
            lone |= set() if clean else {start, number}
        elif piece.kind in ("word", "other"):
            waiting = [(start, False) for start, _ in waiting]
    lone |= {start for start, _ in waiting}
    return [replace(piece, kind="other") if n in lone else piece for n, piece in enumerate(pieces)]


def _trim(run: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """A stretch without the signs and spaces at its ends that belong to the sentence."""
    start, end = 0, len(run)
    while start < end and run[start].kind in ("space", "sign", "comma"):
        minus = run[start].raw in ("-", "+") and start + 1 < end and run[start + 1].kind in ("atom", "number", "bar")
        if minus and (start == 0 or run[start - 1].kind == "space"):
            break
        start += 1
    while end > start and run[end - 1].kind in ("space", "sign", "comma"):
        end -= 1
    return run[:start], run[start:end], run[end:]


def _is_formula(run: list[Piece]) -> bool:
    """Whether there is more to it than plain numbers or one word."""
    marks = [piece for piece in run if piece.kind == "atom" or "10^" in piece.tex or r"\times" in piece.tex]
    return bool(marks) and not (len(run) == 1 and run[0].raw in WORDS.keys() | FUNCTIONS.keys())
