"""Text → tree: parses a condition with Python's own parser and lets only the whitelisted grammar through.

Apart from `advisor.conditions` because judging needs no parser: the trees of shipped rules are read from a cache.
"""

from __future__ import annotations

import ast
from typing import Any

from advisor.conditions import FUNCTIONS, LONGEST, NAME_FUNCTIONS, UNITS, Tree
from advisor.errors import RuleError

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_ARGUMENTS = {
    "abs": (1, 1),
    "has": (2, 2),
    "min": (2, 9),
    "max": (2, 9),
    **dict.fromkeys(NAME_FUNCTIONS, (1, 1)),
}


def parse(text: str) -> Tree:
    """The tree of a condition or expression; RuleError with the offending part when it is outside the grammar."""
    if len(text) > LONGEST:
        raise RuleError(
            f"the condition is too long ({len(text)} characters)", hint="move a part of it into a derived fact"
        )
    try:
        body = ast.parse(text.strip().replace("\n", " "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RuleError(f"not a condition: {text.strip()!r} ({error})") from None
    try:
        return _tree(body)
    except RecursionError:
        raise RuleError("the condition is nested too deeply") from None


def _tree(node: ast.expr) -> Tree:
    match node:
        case ast.Constant(value=str() | int() | float() as value) if not isinstance(value, bool):
            return ["const", value]
        case ast.Name(id="ON" | "OFF" as word):
            return ["const", word == "ON"]
        case ast.Name(id=unit) if unit in UNITS:
            return ["const", UNITS[unit]]
        case ast.Name() | ast.Attribute():
            return ["name", _dotted(node)]
        case ast.BoolOp(op=op, values=values):
            return ["and" if isinstance(op, ast.And) else "or", [_tree(value) for value in values]]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ["not", _tree(operand)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["-", ["const", 0], _tree(operand)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return [_OPERATORS[type(op)], _tree(left), _tree(right)]
        case ast.Compare():
            return _comparison(node)
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]) if function in FUNCTIONS:
            return ["call", function, _arguments(function, arguments)]
    raise RuleError(f"`{_text(node)}` is not part of the condition language")


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise RuleError(f"`{_text(node)}` is not a name")


def _comparison(node: ast.Compare) -> Tree:
    links: list[Tree] = []
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        links.append(_link(left, operator, right))
        left = right
    return links[0] if len(links) == 1 else ["and", links]


def _link(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Tree:
    if isinstance(operator, ast.In | ast.NotIn):
        if not isinstance(right, ast.List):
            raise RuleError(f"`in {_text(right)}`: must be a list in brackets", hint="use has(text, 'word')")
        return [
            "in",
            _tree(left),
            [_tree(element) for element in right.elts],
            isinstance(operator, ast.NotIn),
        ]
    if type(operator) not in _OPERATORS:
        raise RuleError("`is` is not part of the condition language", hint="write == or known(name)")
    return ["cmp", _OPERATORS[type(operator)], _tree(left), _tree(right)]


def _arguments(function: str, arguments: list[ast.expr]) -> list[Tree]:
    least, most = _ARGUMENTS[function]
    if not least <= len(arguments) <= most:
        raise RuleError(f"{function}() takes {least}{f' to {most}' if most > least else ''} argument(s)")
    trees = [_tree(argument) for argument in arguments]
    if function in NAME_FUNCTIONS and trees[0][0] != "name":
        raise RuleError(f"{function}() takes a name")
    return trees


def _text(node: Any) -> str:
    return ast.unparse(node) if isinstance(node, ast.AST) else str(node)
