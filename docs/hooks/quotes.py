"""Code quoted from the repository by its name, so that a page cannot fall behind it."""

import ast
import pathlib
import re

MARK = re.compile(r"^<!-- quote: (\S+) (.+) -->$", re.MULTILINE)


def filled(text: str, root: pathlib.Path) -> str:
    """The page, with each mark `<!-- quote: FILE NAME... -->` replaced by that code; a name that is not there is an error.

    A NAME with a slash is the id of a claim: its `Claim(...)` is quoted.
    """

    def block(mark: re.Match) -> str:
        path, names = mark[1], mark[2].split()
        code = "\n\n".join(quoted(root / path, name) for name in names)
        return f'```python title="{path}"\n{code}\n```'

    return MARK.sub(block, text)


def quoted(file: pathlib.Path, name: str) -> str:
    """The lines of a function, class, method (`Class.method`), constant or claim, with its decorators."""
    source = file.read_text(encoding="utf-8")
    node: ast.AST = ast.parse(source)
    for part in [name] if "/" in name else name.split("."):
        inside = [child for child in (ast.walk(node) if "/" in name else getattr(node, "body", [])) if part in _names(child)]
        if not inside:
            raise LookupError(f"a page quotes {name} of {file}; got no such name there. Correct the mark on the page.")
        node = inside[0]
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    lines = source.splitlines()[first - 1 : node.end_lineno]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines).removesuffix("," if "/" in name else "")


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Call):
        return [one.value.value for one in node.keywords if one.arg == "id" and isinstance(one.value, ast.Constant)]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
