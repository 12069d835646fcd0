"""Is this condition true, false or unknown? A small expression language that knows when it does not know.

The grammar is Python's, whitelisted: numbers, text, names with dots, `and or not`, chained comparisons, `in [...]`,
`+ - * /`, the functions below, `ON`, `OFF`, and the units `KiB MiB GiB TiB`. Unknown values follow Kleene's logic:
the answer is True or False only when every way of filling the holes agrees with it step by step; otherwise it is a
`Missing` that names every hole. Text compares without case; `ON`/`OFF` equal true/false and the words a server
prints for them; a version compares with text as a version. Text in arithmetic and mixed types are errors in the
*rule* (RuleError), division by zero is Missing.

`parse` gives a tree of lists and plain values (it can be stored as JSON); `bind` turns a tree into a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.annotations import Any
from advisor.errors import RuleError
from advisor.model.record import record

Tree = list[Any]
Lookup = Callable[[str], Any]
Node = Callable[[Lookup], Any]

UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4}
FUNCTIONS = frozenset({"min", "max", "abs", "has", "known", "exists", "configured"})
NAME_FUNCTIONS = frozenset({"known", "exists", "configured"})  # their argument is a name, not its value
LONGEST = 2000  # characters; a longer condition is a fact that wants a name
_ON, _OFF = frozenset({"on", "1", "true", "yes"}), frozenset({"off", "0", "false", "no"})


@record
class Missing:
    """No value: `needs` are names without evidence, `absent` names this release does not have at all."""

    needs: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def __init__(self, needs: tuple[str, ...] = (), absent: tuple[str, ...] = ()) -> None:
        # Made by the dozen for every file and release: this costs a third of what all records share.
        self.__dict__.update(needs=needs, absent=absent)

    def __add__(self, other: Missing) -> Missing:
        return Missing(
            (*self.needs, *(n for n in other.needs if n not in self.needs)),
            (*self.absent, *(n for n in other.absent if n not in self.absent)),
        )


def names(tree: Tree) -> Iterator[str]:
    """Every name a tree reads, in reading order, possibly more than once."""
    if tree[0] == "name":
        yield tree[1]
        return
    for part in tree[1:]:
        if isinstance(part, list):
            for child in [part] if part and isinstance(part[0], str) else part:
                yield from names(child)


def bind(tree: Tree) -> Node:
    """A function from a lookup (name → value or Missing) to the tree's value or Missing."""
    return _BINDERS[tree[0]](tree)


def decide(node: Node, lookup: Lookup) -> bool | Missing:
    """The truth of a bound condition; RuleError when it is not a truth value at all."""
    value = node(lookup)
    if value is True or value is False or isinstance(value, Missing):
        return value
    raise RuleError(f"the condition gives {value!r}, not true or false")


def _bind_constant(tree: Tree) -> Node:
    value = tree[1]
    return lambda lookup: value


def _bind_name(tree: Tree) -> Node:
    name = tree[1]
    return lambda lookup: lookup(name)


def _bind_junction(tree: Tree) -> Node:
    parts = [bind(part) for part in tree[1]]
    stop: bool = tree[0] == "or"

    def junction(lookup: Lookup) -> bool | Missing:
        missing: Missing | None = None
        for part in parts:
            value = part(lookup)
            if value is stop:
                return bool(stop)
            if isinstance(value, Missing):
                missing = value if missing is None else missing + value
            elif not isinstance(value, bool):
                raise RuleError(f"{value!r} is used as a condition but is neither true nor false")
        return missing if missing is not None else not stop

    return junction


def _bind_not(tree: Tree) -> Node:
    part = bind(tree[1])

    def negation(lookup: Lookup) -> bool | Missing:
        value = part(lookup)
        if isinstance(value, bool):
            return not value
        if isinstance(value, Missing):
            return value
        raise RuleError(f"`not` is applied to {value!r}, which is neither true nor false")

    return negation


def _bind_comparison(tree: Tree) -> Node:
    compare = _COMPARISONS[tree[1]]
    if tree[2][0] == "name" and tree[3][0] == "const":
        return _bind_name_with_constant(tree[2][1], compare, tree[3][1])
    left, right = bind(tree[2]), bind(tree[3])

    def comparison(lookup: Lookup) -> bool | Missing:
        a, b = left(lookup), right(lookup)
        if isinstance(a, Missing):
            return a + b if isinstance(b, Missing) else a
        return b if isinstance(b, Missing) else compare(a, b)

    return comparison


def _bind_name_with_constant(name: str, compare: Callable[[Any, Any], bool], constant: Any) -> Node:
    """What most comparisons are; bound and judged in a third of the calls."""

    def comparison(lookup: Lookup) -> bool | Missing:
        value = lookup(name)
        return value if isinstance(value, Missing) else compare(value, constant)

    return comparison


def _bind_in(tree: Tree) -> Node:
    left, members, negated = bind(tree[1]), [bind(m) for m in tree[2]], tree[3]

    def membership(lookup: Lookup) -> bool | Missing:
        value = left(lookup)
        if isinstance(value, Missing):
            return value
        missing = Missing()
        for member in members:
            other = member(lookup)
            if isinstance(other, Missing):
                missing = missing + other
            elif _equal(value, other):
                return not negated
        return missing if missing != Missing() else bool(negated)

    return membership


def _bind_arithmetic(tree: Tree) -> Node:
    left, right, operator = bind(tree[1]), bind(tree[2]), tree[0]

    def arithmetic(lookup: Lookup) -> Any:
        a, b = left(lookup), right(lookup)
        if isinstance(a, Missing):
            return a + b if isinstance(b, Missing) else a
        if isinstance(b, Missing):
            return b
        for value in (a, b):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise RuleError(f"`{operator}` is applied to {value!r}, which is not a number")
        if operator == "/":
            return a / b if b else Missing(("a divisor that is not zero",))
        return a + b if operator == "+" else a - b if operator == "-" else a * b

    return arithmetic


def _bind_call(tree: Tree) -> Node:
    function, arguments = tree[1], tree[2]
    if function in NAME_FUNCTIONS:
        return _bind_name_function(function, arguments[0][1])
    parts = [bind(argument) for argument in arguments]

    def call(lookup: Lookup) -> Any:
        values = [part(lookup) for part in parts]
        missing = [value for value in values if isinstance(value, Missing)]
        if missing:
            return sum(missing[1:], missing[0])
        if function == "has":
            return str(values[1]).lower() in {w.strip().lower() for w in str(values[0]).split(",")}
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise RuleError(f"{function}() of {value!r}, which is not a number")
        return abs(values[0]) if function == "abs" else min(values) if function == "min" else max(values)

    return call


def _bind_name_function(function: str, name: str) -> Node:
    if function == "configured":  # a namespace of the lookup: was it set, rather than left at its default?
        return lambda lookup: lookup("configured." + name)

    def known(lookup: Lookup) -> bool:
        return not isinstance(lookup(name), Missing)

    def exists(lookup: Lookup) -> bool:
        value = lookup(name)
        return not (isinstance(value, Missing) and name in value.absent)

    return known if function == "known" else exists


_BINDERS: dict[str, Callable[[Tree], Node]] = {
    "const": _bind_constant,
    "name": _bind_name,
    "and": _bind_junction,
    "or": _bind_junction,
    "not": _bind_not,
    "cmp": _bind_comparison,
    "in": _bind_in,
    "call": _bind_call,
    **dict.fromkeys(("+", "-", "*", "/"), _bind_arithmetic),
}


def _equal(a: Any, b: Any) -> bool:
    if a is None or b is None:  # a variable without a value (slave_skip_errors of MySQL) shows as empty text
        return a in (None, "") and b in (None, "")
    if isinstance(a, bool) or isinstance(b, bool):
        flag, other = (a, b) if isinstance(a, bool) else (b, a)
        if isinstance(other, str):
            return other.lower() in (_ON if flag else _OFF)
        if isinstance(other, int | float):
            return bool(other == flag)
        raise RuleError(f"{other!r} compared with {'ON' if flag else 'OFF'}")
    if isinstance(a, str) and isinstance(b, str):
        return a.lower() == b.lower()
    a, b = _comparable(a, b)
    return bool(a == b)


def _comparable(a: Any, b: Any) -> tuple[Any, Any]:
    """Two numbers, or two versions; text beside a version is read as one."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        return _version(a), _version(b)
    for value in (a, b):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RuleError(f"{a!r} and {b!r} cannot be compared")
    return a, b


def _version(value: Any) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return value
    try:
        numbers = [int(part) for part in str(value).split(".")]
    except ValueError:
        raise RuleError(f"{value!r} is not a version") from None
    return tuple(numbers + [0] * (3 - len(numbers)))


def _ordered(operator: str) -> Callable[[Any, Any], bool]:
    def compare(a: Any, b: Any) -> bool:
        a, b = _comparable(a, b)
        if operator == "<":
            return bool(a < b)
        if operator == "<=":
            return bool(a <= b)
        return bool(a > b) if operator == ">" else bool(a >= b)

    return compare


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": _equal,
    "!=": lambda a, b: not _equal(a, b),
    **{operator: _ordered(operator) for operator in ("<", "<=", ">", ">=")},
}


def satisfies(version: Sequence[int], constraint: str) -> bool:
    """Whether a version meets ">=8.0.27,<8.4" (all parts must hold; "*" or "" is any)."""
    for part in constraint.replace(" ", "").split(","):
        if part in ("", "*"):
            continue
        operator = next((o for o in (">=", "<=", "==", ">", "<") if part.startswith(o)), "")
        if not operator:
            raise RuleError(f"{part!r} is not a version constraint", hint="write >=8.0.27, <8.4 or *")
        if not _COMPARISONS[operator](tuple(version), part[len(operator) :]):
            return False
    return True
