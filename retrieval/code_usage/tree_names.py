"""The names that a file of any language with a grammar uses, with imports resolved as far as the file shows them.

A file that is broken, or a piece of one, is read as far as it goes. Types are followed only as far as a reader sees
them at a glance (`x = Client()`, `x: Client`, `self.x = Client()`).
"""

import re
from dataclasses import dataclass, field

from tree_sitter import Node

from retrieval.code_usage import grammars
from retrieval.code_usage.grammars import GRAMMARS, Grammar, field_of, member_of
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin, OwnClass
from retrieval.code_usage.plain_names import string_mentions
from retrieval.code_usage.product_roots import plain
from retrieval.code_usage.tree_imports import Path, read_imports, text_of
from retrieval.code_usage.tree_nodes import configured_product, is_docstring, is_key, keys_around, name_of, words_before
from retrieval.code_usage.trees import named_nodes
from retrieval.code_usage.wanted import has_several_words

_MAX_CHAIN = 30
_MAX_STARS = 3
_Known = tuple[Path, Origin]
_AROUND_TYPES = ("type_annotation", "type", "type_parameter", "union_type", "binary_operator", "generic_type")
_PATTERNS = ("pattern_list", "tuple_pattern", "list_pattern")


def _is_upper(name: str) -> bool:
    return name.isupper() and name.isidentifier() and name == name.strip("_")


@dataclass(slots=True)
class _Scope:
    """Names of one function, class or file, and the byte at which it ends."""

    end: float = float("inf")
    known: dict[str, _Known | None] = field(default_factory=dict)
    """None hides a name of an outer scope: a parameter, or a variable of unknown type."""
    own_class: Path = ()


def read_tree(text: str, *, ending: str, name: str, calls: bool = False) -> FileNames:
    """The names of one file of the language that `ending` tells; `ending` is a key of `GRAMMARS`.

    With `calls`, functions that nothing in the text imports or defines are told too, as a piece of a file needs it.

    Raises:
        Unparsable: the text is nested too deeply, or parsing it takes too long.
    """
    reader = _Reader(GRAMMARS[ending], name.removesuffix(ending), configured=configured_product(name), calls=calls)
    for node in named_nodes(text, reader.grammar):
        reader.visit(node)
    return FileNames(tuple(reader.places), tuple(reader.classes), frozenset(reader.defined), frozenset(reader.subjects))


class _Reader:
    """Takes the nodes of one file in order."""

    def __init__(self, grammar: Grammar, name: str, *, configured: str | None, calls: bool) -> None:
        self.grammar = grammar
        self.places: dict[tuple[Mention, int], None] = {}
        self.classes: list[OwnClass] = []
        self.defined: set[str] = set()
        self.subjects: set[str] = {plain(configured)} if configured else set()
        self._calls = calls
        self._configured = configured
        self._is_ruby = grammar.package == "tree_sitter_ruby"
        self._module = tuple(part for part in name.split("/") if part and part != "__init__")
        self._package = self._module if name.endswith("__init__") else self._module[:-1]
        self._scopes = [_Scope()]
        self._stars: list[Path] = []
        self._bound: set[str] = set()

    def visit(self, node: Node) -> None:
        """Note what `node` names or binds."""
        kind = node.type
        while self._scopes[-1].end <= node.start_byte:
            self._scopes.pop()
        if kind in grammars.IMPORTS:
            self._import(node)
        if member := member_of(node):
            self._member(*member)
        elif kind in grammars.IDENTIFIERS:
            self._identifier(node)
        elif kind in grammars.STRINGS:
            self._string(node)
        if kind in grammars.KEYWORDS:
            self._keyword(node)
        if kind in grammars.BINDINGS:
            self._binding(node)
        if kind in grammars.TYPED:
            self._typed(node)
        if kind in grammars.CLASSES:
            self._class(node)
        elif kind in grammars.FUNCTIONS:
            self._function(node)

    def _find(self, name: str) -> _Known | None:
        return next((scope.known[name] for scope in reversed(self._scopes) if name in scope.known), None)

    def _bind(self, name: str, known: _Known | None) -> None:
        names = self._scopes[-1].known
        if self.grammar.scoped:
            names[name] = known
        elif known:
            names.setdefault(name, known)

    def _note(self, path: Path, kind: MentionKind, origin: Origin, node: Node, *, written: int = 1) -> None:
        if path and path[-1]:
            self.places[Mention(path, kind, origin, written), node.start_point.row + 1] = None

    def _import(self, node: Node) -> None:
        for bound, path in read_imports(self.grammar.package, node):
            if path and path[0].startswith(".") and self.grammar.scoped and not self._calls:
                path = (*self._package[: len(self._package) - len(path[0]) + 1], *path[1:])
            if not path:
                continue
            self.subjects.update(filter(None, (plain(part) for part in re.split(r"[/@]", path[0]))))
            if path[0] in ("org", "com", "io", "net", "dev"):
                self.subjects.update(plain(part) for part in path[:4])
            self._note(path, MentionKind.NAME, Origin.IMPORTED, node, written=len(path))
            if bound == "*":
                self._stars.append(path)
            elif bound:
                self._scopes[-1].known[bound] = (path, Origin.IMPORTED)
            elif len(self._stars) < _MAX_STARS and self.grammar.package in ("tree_sitter_java", "tree_sitter_rust"):
                self._stars.append(path)

    def _resolve(self, node: Node | None) -> _Known | None:
        """Where a chain of members, calls and subscripts leads; None where nobody can see it."""
        behind: list[str] = []
        through = False
        for _ in range(_MAX_CHAIN):
            if node is None:
                return None
            if member := member_of(node):
                through = through or node.type in ("method_invocation", "call")
                node, name = member
                if node is None:
                    return self._from(text_of(name), behind, through=through)
                behind.append(text_of(name))
            elif module := self._required(node):
                return (module, *reversed(behind)), Origin.DERIVED if through else Origin.IMPORTED
            elif node.type in grammars.CALLED:
                node, through = node.child_by_field_name(grammars.CALLED[node.type]), True
            elif node.type in grammars.WRAPPERS:
                node = node.named_children[0] if node.named_children else None
            elif node.named_child_count == 0:
                return self._from(text_of(node), behind, through=through)
            else:
                return None
        return None

    def _from(self, name: str, behind: list[str], *, through: bool) -> _Known:
        if self.grammar.scoped and name in ("self", "cls", "super"):
            if behind and (made := self._find(f"self.{behind[-1]}")):
                return (*made[0], *reversed(behind[:-1])), Origin.DERIVED
            if own := next((scope.own_class for scope in reversed(self._scopes) if scope.own_class), None):
                return (*own, *reversed(behind)), Origin.DERIVED
        path, origin = self._find(name) or ((name,), Origin.UNKNOWN)
        if origin is Origin.UNKNOWN and self._is_ruby and name[:1].isupper():
            # Ruby's constants are the same everywhere, wherever they are defined.
            origin = Origin.IMPORTED
        if through and origin is Origin.IMPORTED:
            origin = Origin.DERIVED
        return (*path, *reversed(behind)), origin

    def _required(self, call: Node) -> str | None:
        """The module that a call of `require` or `import` gives."""
        if call.type != "call_expression" or text_of(call.child_by_field_name("function")) not in ("require", "import"):
            return None
        given = call.child_by_field_name("arguments")
        first = given.named_children[0] if given and given.named_children else None
        module = text_of(first).strip("'\"`") if first and first.type == "string" else None
        if module:
            self.subjects.update(filter(None, (plain(part) for part in re.split(r"[/@]", module))))
            self._note((module,), MentionKind.NAME, Origin.IMPORTED, call)
        return module

    def _member(self, owner: Node | None, name: Node) -> None:
        if owner is None:
            self._identifier(name)
            return
        if owner.named_child_count == 0 and self._is_own(text_of(owner)):
            return
        path, origin = self._resolve(owner) or (("",), Origin.UNKNOWN)
        self._note((*path, text_of(name)), MentionKind.NAME, origin, name)
        if path[-1] == "env" and _is_upper(text_of(name)):
            self._note((text_of(name),), MentionKind.ENVIRONMENT, Origin.UNKNOWN, name)

    def _is_own(self, name: str) -> bool:
        return name in self.grammar.own_objects and self._find(name) is None

    def _identifier(self, node: Node) -> None:
        name = text_of(node)
        known = self._find(name)
        if known is not None:
            if known[1] is Origin.IMPORTED and not _is_member_name(node):
                self._note(known[0], MentionKind.NAME, Origin.IMPORTED, node)
        elif self.grammar.bare_names:
            self._note(("", name), MentionKind.NAME, Origin.UNKNOWN, node)
            if name[:1].isupper() and self._is_ruby:
                self.subjects.add(plain(name))
                self._note((name,), MentionKind.NAME, Origin.IMPORTED, node)
        elif self._stars and (name[:1].isupper() or self.grammar.scoped) and not _is_member_name(node):
            for module in self._stars:
                self._note((*module, name), MentionKind.NAME, Origin.DERIVED, node)
        elif self._calls:
            says_enough = has_several_words(name) and name not in self._bound and not _is_member_name(node)
            if says_enough or _is_called(node):
                self._note(("", name), MentionKind.NAME, Origin.UNKNOWN, node)

    def _string(self, node: Node) -> None:
        mentions = tuple(string_mentions(text_of(node).lstrip(":")))
        if not mentions or is_docstring(node):
            return
        for mention in mentions:
            if mention.kind is MentionKind.FLAG:
                self._note((*words_before(node), *mention.path), mention.kind, mention.origin, node)
            elif mention.kind is not MentionKind.KEY or (
                has_several_words(mention.path[-1]) if self._calls else self.grammar.scoped and is_key(node)
            ):
                self._note(mention.path, mention.kind, mention.origin, node)

    def _keyword(self, node: Node) -> None:
        if node.type == "method_definition" and (node.parent is None or node.parent.type != "object"):
            return
        keys, taker = keys_around(node)
        name = field_of(node, ("key", "name")) or next(iter(node.named_children), node)
        path = (*keys, text_of(name).strip("'\"`"))
        if taker is not None:
            is_named = taker.type.startswith("jsx_") or taker.type == "annotation"
            if found := self._resolve(taker.child_by_field_name("name") if is_named else taker):
                self._note((*found[0], *path), MentionKind.KEYWORD, found[1], name)
        elif self._configured:
            self._note((self._configured, *path), MentionKind.KEYWORD, Origin.IMPORTED, name)

    def _binding(self, node: Node) -> None:
        name = field_of(node, grammars.BOUND_NAMES)
        value = field_of(node, grammars.BOUND_VALUES)
        if name is None:
            return
        is_made = node.type in ("for_statement", "as_pattern")
        if node.type == "as_pattern":
            value = node.named_children[0]
        bound = text_of(name)
        self._bound.add(bound)
        own = self._scopes[-1].own_class
        if own and name.type == "identifier":
            # What a class assigns may be an option that the class it extends reads.
            self.defined.add(bound)
            self._note((*own, bound), MentionKind.DEFINITION, Origin.DERIVED, name)
        if value is None:
            return
        found = self._resolve(value)
        # In a piece of a file only what begins a line is sure to be of the module: configuration, in any case.
        is_setting = self._calls and self.grammar.scoped and not name.start_point.column and "_" in bound
        # What is settled by its name alone is settled in a file of settings, which Java has none of.
        if is_setting or (_is_upper(bound) and self.grammar.package != "tree_sitter_java"):
            self._note((bound,), MentionKind.SETTING, Origin.UNKNOWN, name)
        if found is None or found[1] is Origin.UNKNOWN:
            if self.grammar.scoped and self._find(bound):
                self._bind(bound, None)
        elif name.type == "object_pattern":
            for child in name.named_children:
                taken = (*found[0], text_of(child.child_by_field_name("key") or child))
                self._bind(text_of(child.child_by_field_name("value") or child), (taken, found[1]))
                self._note(taken, MentionKind.NAME, found[1], child)
        elif name.type in _PATTERNS:
            for child in name.named_children:
                self._bind(text_of(child), (found[0], Origin.DERIVED))
        elif name.type == "attribute":
            self.defined.add(text_of(name.child_by_field_name("attribute")))
            around = next((scope for scope in reversed(self._scopes) if scope.own_class), self._scopes[0])
            around.known.setdefault(bound, found)
        else:
            self._bind(bound, (found[0], Origin.DERIVED) if is_made else found)

    def _typed(self, node: Node) -> None:
        name = field_of(node, grammars.BOUND_NAMES) or next(iter(node.named_children), None)
        kind = node.child_by_field_name("type")
        if name is None or kind is None:
            return
        while kind.type in _AROUND_TYPES and kind.named_children:
            is_optional = kind.type == "generic_type" and text_of(kind.named_children[0]).endswith("Optional")
            kind = kind.named_children[-1 if is_optional else 0]
        found = self._resolve(kind)
        if found and found[1] is not Origin.UNKNOWN:
            self._bind(name_of(name) or text_of(name), (found[0], Origin.DERIVED))

    def _class(self, node: Node) -> None:
        name = name_of(node)
        self.defined.add(name)
        bases: list[Path] = []
        for child in node.named_children:
            if child.type in ("superclass", "class_heritage", "argument_list", "extends_clause"):
                for base in child.named_children:
                    inner = base.child_by_field_name("value") if base.type == "extends_clause" else base
                    if (found := self._resolve(inner)) and found[1] is not Origin.UNKNOWN:
                        bases.append(found[0])
        path = (*(self._scopes[-1].own_class or self._module), name)
        self.classes.append(OwnClass(path, tuple(bases)))
        if self.grammar.scoped:
            self._bind(name, (path, Origin.DERIVED))
            self._scopes.append(_Scope(node.end_byte, own_class=path))

    def _function(self, node: Node) -> None:
        """Note a function as what overrides a method or is a hook; in Python open its scope, where parameters hide
        names."""
        self.defined.add(name_of(node))
        if not self.grammar.scoped:
            if self._calls and node.start_point.column:
                self._note(("", name_of(node)), MentionKind.DEFINITION, Origin.UNKNOWN, node)
            return
        own, name = self._scopes[-1].own_class, node.child_by_field_name("name")
        if name is not None:
            self._note((*own, text_of(name)), MentionKind.DEFINITION, Origin.DERIVED, name)
            if not own:
                self._bind(text_of(name), None)
        parameters = node.child_by_field_name("parameters")
        named = parameters.named_children if parameters else ()
        hidden = (each.child_by_field_name("name") or next(iter(each.named_children), each) for each in named)
        self._scopes.append(_Scope(node.end_byte, {text_of(each): None for each in hidden}))


def _is_called(node: Node) -> bool:
    around = node.parent
    if around is None or around.type not in grammars.CALLED:
        return around is not None and ("decorator" in around.type or around.type == "token_tree")
    return around.child_by_field_name(grammars.CALLED[around.type]) == node


def _is_member_name(node: Node) -> bool:
    member = member_of(node.parent)
    return member is not None and member[0] is not None and member[1] == node
