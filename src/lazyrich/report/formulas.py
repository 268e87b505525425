r"""Formulas for a terminal: what stands between single dollars, as readable Unicode.

`$\|\beta\|_1 \leq \alpha^{-2}$` becomes `‖β‖₁ ≤ α⁻²`. Figures and pages typeset the same texts.
"""

import re
from collections.abc import Iterator

FORMULA = re.compile(r"(?<!\\)\$(?!\s)((?:\\.|[^$\\])+?)(?<!\s)\$", re.DOTALL)
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:,\d{3})*(?:\.\d+)?|\S", re.DOTALL)

LETTERS = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
        "phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        "α β γ δ ϵ ε ζ η θ ϑ ι κ λ μ ν ξ π ρ σ τ υ ϕ φ χ ψ ω Γ Δ Θ Λ Ξ Π Σ Υ Φ Ψ Ω".split(),
        strict=True,
    )
) | dict(
    ell="ℓ", infty="∞", nabla="∇", partial="∂", top="⊤", prime="′", star="*", ast="*", dagger="†", emptyset="∅", forall="∀",
    exists="∃", hbar="ℏ", ldots="…", dots="…", cdots="…", vdots="⋮", degree="°",
)  # fmt: skip
RELATIONS = dict(
    leq="≤", le="≤", geq="≥", ge="≥", neq="≠", ne="≠", ll="≪", gg="≫", approx="≈", sim="∼", simeq="≃", propto="∝", equiv="≡",
    to="→", rightarrow="→", leftarrow="←", mapsto="↦", Rightarrow="⇒", Leftrightarrow="⇔", leftrightarrow="↔", uparrow="↑",
    downarrow="↓", subset="⊂", subseteq="⊆", notin="∉", perp="⊥", mid="|", lesssim="≲", gtrsim="≳", times="×", odot="⊙",
    otimes="⊗", oplus="⊕", circ="∘", cup="∪", cap="∩", setminus="∖",
) | {"in": "∈", "=": "=", "<": "<", ">": ">"}  # fmt: skip
SIGNS = {"+": "+", "-": "-", "pm": "±", "mp": "∓"}  # relations where something stands before them
LARGE = dict(sum="Σ", prod="Π", int="∫", bigcup="⋃", bigcap="⋂")
OPENING = {"(": "(", "[": "[", "{": "{", "langle": "⟨", "lfloor": "⌊", "lceil": "⌈", "lvert": "|", "lVert": "‖"}
CLOSING = {")": ")", "]": "]", "}": "}", "rangle": "⟩", "rfloor": "⌋", "rceil": "⌉", "rvert": "|", "rVert": "‖"}
BARS = {"|": "‖", "vert": "|", "Vert": "‖"}
SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "quad": "  ", "qquad": "  ", "!": ""}
FONTS = {"mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "boldsymbol", "text", "operatorname", "mathbb"}
ACCENTS = dict(
    hat="\u0302", widehat="\u0302", bar="\u0304", overline="\u0304", tilde="\u0303", widetilde="\u0303", dot="\u0307",
    ddot="\u0308", vec="\u20d7", underline="\u0332",
)  # fmt: skip
DOUBLE = dict(zip("CEHNPQRZ", "ℂ𝔼ℍℕℙℚℝℤ", strict=True))
RAISED = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ⊤*†′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡᵀ*†′",
        strict=True,
    )
)
LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))

_SMALL = "".join([*RAISED.values(), *LOWERED.values()])
_ATOM = re.compile(rf"(?:√?(?:\d+(?:\.\d+)?|\w[\u0302-\u0308]?|∞)|[(⟨‖|][^()⟨⟩‖|]*[)⟩‖|])[{_SMALL}]*")
_WORD = re.compile(r"[A-Za-z]{3}")

Piece = tuple[str, str]  # a text, and its kind: letter, function, relation, sign, open, close, comma, space


def in_unicode(text: str) -> str:
    r"""The text, each formula between single dollars as Unicode; `\$` is a dollar."""
    return FORMULA.sub(lambda found: _formula(found[1]), text).replace(r"\$", "$") if "$" in text else text


def _formula(tex: str) -> str:
    return _joined(list(_pieces(_Tokens(tex))))


class _Tokens:
    """The tokens of a formula, read from left to right."""

    def __init__(self, tex: str):
        self.rest = _TOKEN.findall(tex)[::-1]

    def __bool__(self) -> bool:
        return bool(self.rest)

    def next(self) -> str:
        return self.rest.pop() if self.rest else ""

    def peek(self) -> str:
        return self.rest[-1] if self.rest else ""

    def group(self, opening: str = "{", closing: str = "}") -> "_Tokens":
        """What stands in the brackets that come next, or the next token alone."""
        inner, depth = _Tokens(""), 0
        while self.rest:
            token = self.next()
            depth += (token == opening) - (token == closing)
            if depth or token != closing:
                inner.rest.append(token)
            if not depth:
                break
        taken = inner.rest[1:] if inner.rest[:1] == [opening] else inner.rest
        inner.rest = taken[::-1]
        return inner

    def argument(self) -> str:
        """The next argument of a command: a group, a command with its own arguments, or one sign."""
        if self.peek() == "{":
            return _joined(list(_pieces(self.group())))
        if len(self.peek()) > 1 and self.peek()[0].isdigit():  # a number without braces: its first digit
            number = self.next()
            self.rest.append(number[1:])
            return number[0]
        return _joined(list(_piece(self, [])))


def _pieces(tokens: _Tokens) -> Iterator[Piece]:
    bars: list[str] = []
    while tokens:
        yield from _piece(tokens, bars)


def _piece(tokens: _Tokens, bars: list[str]) -> Iterator[Piece]:
    token = tokens.next()
    name = token[1:] if token[0] == "\\" and token != "\\" else ""
    bar = token if token == "|" else BARS.get(name)
    if token == "{":
        tokens.rest.append(token)
        yield _joined(list(_pieces(tokens.group()))), "letter"
    elif token in "^_":
        yield _script(tokens.argument(), token), "script"
    elif bar:
        closes = bar in bars
        (bars.remove if closes else bars.append)(bar)
        yield bar, "close" if closes else "open"
    elif name in ("left", "right"):
        if tokens.peek() == ".":
            tokens.next()
    elif name in FONTS or name in ACCENTS or name in ("frac", "dfrac", "tfrac", "binom", "sqrt"):
        yield _with_arguments(name, tokens)
    else:
        yield _symbol(name or token, command=bool(name))


def _with_arguments(name: str, tokens: _Tokens) -> Piece:
    if name == "sqrt":
        degree = _joined(list(_pieces(tokens.group("[", "]")))) if tokens.peek() == "[" else ""
        return f"{_script(degree, '^')}√{_bracketed(tokens.argument())}", "letter"
    first = tokens.argument()
    if name in ACCENTS:
        return (first[0] + ACCENTS[name] + first[1:] if _ATOM.fullmatch(first) else f"{name}({first})"), "letter"
    if name in FONTS:
        first = DOUBLE.get(first, first) if name == "mathbb" else first
        return first, "letter" if len(first) == 1 else "function"
    second = tokens.argument()
    if name == "binom":
        return f"C({first}, {second})", "letter"
    return f"{_bracketed(first)}/{_bracketed(second)}", "letter"


def _symbol(name: str, *, command: bool) -> Piece:
    tables = ((RELATIONS, "relation"), (SIGNS, "sign"), (OPENING, "open"), (CLOSING, "close"))
    for table, kind in (*tables, *(((LETTERS, "letter"), (LARGE, "function"), (SPACES, "space")) if command else ())):
        if name in table:
            return table[name], kind
    if name == "'":
        return "′", "script"
    if name == "cdot":
        return "·", "open"
    return name, "comma" if name == "," else "function" if command and len(name) > 1 else "letter"


def _script(text: str, sign: str) -> str:
    """A power or a subscript, in small signs where there are such and it is no word."""
    table, small = (RAISED if sign == "^" else LOWERED), text.replace(" ", "")
    if all(letter in table for letter in small) and not _WORD.search(small):
        return "".join(table[letter] for letter in small)
    return f"{sign}{text}" if small.isalnum() or len(small) == 1 else f"{sign}({text})"


def _bracketed(text: str) -> str:
    return text if _ATOM.fullmatch(text) else f"({text})"


def _joined(pieces: list[Piece]) -> str:
    """The pieces in one line, with the spaces that a typeset formula has."""
    text, before = "", ""
    for piece, kind in pieces:
        binary = kind == "relation" or (kind == "sign" and before in ("letter", "script", "close", "function"))
        apart = kind in ("letter", "function") and before == "function"
        apart = apart or (kind == "function" and before in ("letter", "script", "close"))
        apart = apart or before == "comma"
        text += f" {piece} " if binary else f" {piece}" if apart else piece
        # A power of a function, as in sinh^-1, leaves it a function; the sign before a number belongs to it.
        before = before if kind == "script" and before == "function" else "relation" if kind == "sign" else kind
    return re.sub(r" {3,}", "  ", text).strip()
