"""Arithmetic over parameters, written as "=12/(learning_rate*strength)". Nothing else can be said in it."""

import ast
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import BadInput
from .parsing import expression

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}
_CALLS = {"log": np.log, "exp": np.exp, "sqrt": np.sqrt, "minimum": np.minimum, "maximum": np.maximum}


def is_formula(value: Any) -> bool:
    """Whether a value is written as a formula."""
    return isinstance(value, str) and value.startswith("=")


def names(formula: str) -> set[str]:
    """The parameters that a formula mentions."""
    tree = _parse(formula)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(_CALLS)


def evaluate(formula: str, values: Mapping[str, Any]) -> Any:
    """The value of a formula; numbers and labelled arrays alike."""
    return _value(_parse(formula), values, formula)


def _parse(formula: str) -> ast.expr:
    try:
        return expression(formula[1:].strip())
    except SyntaxError as error:
        raise _refusal(formula) from error


def _value(node: ast.expr, values: Mapping[str, Any], formula: str) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, values, formula), _value(right, values, formula))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values, formula)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _CALLS:
            return _CALLS[name](*(_value(arg, values, formula) for arg in args))
    raise _refusal(formula)


def _refusal(formula: str) -> BadInput:
    return BadInput(
        needed=f"a formula holds numbers, parameters, + - * / ** and {', '.join(_CALLS)}",
        given=repr(formula),
        cure="Write for example =2*log(alpha)/weight_decay.",
    )
