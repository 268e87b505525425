"""How an equinox module is made, for the pages of the API: its fields in order, as those of a dataclass."""

import ast

import griffe


class Constructors(griffe.Extension):
    """Give each class that has fields, and neither a constructor nor a decorator, the constructor its fields make."""

    def on_class_members(self, *, node, cls, agent, **kwargs):
        """Called when the members of a class are known."""
        if isinstance(node, ast.ClassDef) and "__init__" not in cls.members and not cls.decorators:
            fields = [(one.target.id, _default(one.value)) for one in node.body if _is_field(one)]
            if fields:
                made = griffe.Function("__init__", parameters=griffe.Parameters(*_parameters(cls, fields)))
                cls.set_member("__init__", made)


def _is_field(node: ast.AST) -> bool:
    named = isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    return named and not any(word in ast.unparse(node.annotation) for word in ("ClassVar", "AbstractVar"))


def _default(value: ast.expr | None) -> str | None:
    """What stands after the equals sign, or the default inside `field(...)`."""
    if isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] == "field":
        found = {one.arg: one.value for one in value.keywords}
        if "default_factory" in found:
            return f"{ast.unparse(found['default_factory'])}()"
        return ast.unparse(found["default"]) if "default" in found else None
    return None if value is None else ast.unparse(value)


def _parameters(cls: griffe.Class, fields: list[tuple[str, str | None]]):
    kind = griffe.ParameterKind.positional_or_keyword
    yield griffe.Parameter("self", kind=kind)
    for name, default in fields:
        yield griffe.Parameter(name, annotation=cls.members[name].annotation, kind=kind, default=default)
