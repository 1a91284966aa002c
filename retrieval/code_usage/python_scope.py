"""What names stand for at one point of a Python file: imports, variables made from them, the file's own classes."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from retrieval.code_usage.model import Origin

Path = tuple[str, ...]
_MAX_CHAIN = 30


@dataclass(frozen=True, slots=True)
class Resolved:
    """What an expression's name leads to."""

    path: Path
    origin: Origin
    written: int = 0
    """How many of the last parts the expression itself spells."""


@dataclass(slots=True)
class Scope:
    """Names of one function, class or module, and the scope around it."""

    outer: "Scope | None" = None
    names: dict[str, Resolved | None] = field(default_factory=dict)
    """None hides a name of an outer scope: a parameter or a variable of unknown type."""
    own_class: Path | None = None

    def find(self, name: str) -> Resolved | None:
        """What `name` stands for here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def enclosing_class(self) -> Path | None:
        """The class whose body or method this is."""
        scope: Scope | None = self
        while scope is not None:
            if scope.own_class:
                return scope.own_class
            scope = scope.outer
        return None


def resolve(node: ast.expr, scope: Scope) -> Resolved | None:
    """Where a name or a chain of attributes, calls and subscripts leads; None for a literal or an operation."""
    behind: list[str] = []
    written: int | None = None
    for _ in range(_MAX_CHAIN):
        match node:
            case ast.Attribute(value=value, attr=name):
                behind.append(name)
                node = value
            case ast.Call(func=ast.Name(id="super")):
                own = scope.enclosing_class()
                written = len(behind) if written is None else written
                return Resolved((*own, *reversed(behind)), Origin.DERIVED, written) if own else None
            case ast.Call(func=inner) | ast.Subscript(value=inner) | ast.Await(value=inner) | ast.Starred(value=inner):
                written = len(behind) if written is None else written
                node = inner
            case ast.Name(id=name):
                return _from_name(name, tuple(reversed(behind)), written, scope)
            case _:
                return None
    return None


def _from_name(name: str, behind: Path, written: int | None, scope: Scope) -> Resolved | None:
    if behind and name in ("self", "cls"):
        known = scope.find(f"self.{behind[0]}")
        if known and len(behind) > 1:
            return Resolved((*known.path, *behind[1:]), Origin.DERIVED, min(len(behind) - 1, written or len(behind)))
        if own := scope.enclosing_class():
            return Resolved((*own, *behind), Origin.DERIVED, len(behind) if written is None else written)
    known = scope.find(name)
    if known is None:
        return Resolved((name, *behind), Origin.UNKNOWN, len(behind) if written is None else written)
    if written is None:
        spelt = len(behind) + (known.origin is Origin.IMPORTED)
        return Resolved((*known.path, *behind), known.origin, spelt)
    return Resolved((*known.path, *behind), Origin.DERIVED, written)


def instance_of(value: ast.expr | None, scope: Scope) -> Resolved | None:
    """What a variable assigned from `value` leads to: an alias of it, or something made by it."""
    match value:
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Await() | ast.Subscript():
            found = resolve(value, scope)
            return found if found and found.origin is not Origin.UNKNOWN else None
        case _:
            return None


def annotated(annotation: ast.expr | None, scope: Scope) -> Resolved | None:
    """What a variable of this annotation is an instance of: `Foo`, `Foo | None`, `Optional[Foo]`."""
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return annotated(left, scope) or annotated(right, scope)
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return annotated(inner, scope)
        case ast.Name() | ast.Attribute():
            found = resolve(annotation, scope)
            if found and found.origin is not Origin.UNKNOWN:
                return Resolved(found.path, Origin.DERIVED)
    return None


def bind(targets: Iterable[ast.expr], known: Resolved | None, scope: Scope) -> None:
    """Let the targets of an assignment stand for `known`; hide what they stood for where that is None."""
    for target in targets:
        match target:
            case ast.Name(id=name):
                if known or scope.find(name):
                    scope.names[name] = known
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if known:
                _class_scope(scope).names.setdefault(f"self.{name}", known)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                bind(elements, known and Resolved(known.path, Origin.DERIVED), scope)


def _class_scope(scope: Scope) -> Scope:
    around = scope
    while around.outer is not None and not around.own_class:
        around = around.outer
    return around
