"""The names that a file of any language with a grammar uses, with imports resolved as far as the file shows them.

A file that is broken, or a piece of one, is read as far as it goes. Only in Python are scopes told apart: elsewhere a
local name stands for the same thing in the whole file. Types are followed only as far as a reader sees them at a glance
(`x = Client()`, `x: Client`, `self.x = Client()`).
"""

import re
from dataclasses import dataclass, field

from tree_sitter import Node

from retrieval.code_usage.grammars import GRAMMARS, Grammar
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin, OwnClass
from retrieval.code_usage.product_roots import plain
from retrieval.code_usage.string_names import string_mentions
from retrieval.code_usage.tree_imports import Path, read_imports, text_of
from retrieval.code_usage.tree_nodes import configured_product, is_docstring, is_key, keys_around, name_of, words_before
from retrieval.code_usage.trees import named_nodes
from retrieval.code_usage.wanted import has_several_words

_MAX_CHAIN = 30
_MAX_STARS = 3
_Known = tuple[Path, Origin]
_OF_OWN_CLASS = frozenset(("self", "cls", "super"))
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
        self._calls = calls
        self.places: dict[tuple[Mention, int], None] = {}
        self.classes: list[OwnClass] = []
        self.defined: set[str] = set()
        self.subjects: set[str] = set()
        self._module = tuple(part for part in name.split("/") if part and part != "__init__")
        self._package = self._module if name.endswith("__init__") else self._module[:-1]
        self._configured = configured
        if configured:
            self.subjects.add(plain(configured))
        self._scopes = [_Scope()]
        self._stars: list[Path] = []
        self._bound: set[str] = set()

    def visit(self, node: Node) -> None:
        """Note what `node` names or binds."""
        kind, grammar = node.type, self.grammar
        while self._scopes[-1].end <= node.start_byte:
            self._scopes.pop()
        if kind in grammar.imports:
            self._import(node)
        if kind in grammar.members:
            self._member(node)
        elif kind in grammar.identifiers:
            self._identifier(node)
        elif (
            kind in grammar.strings
            and (told := tuple(string_mentions(text_of(node).lstrip(":"))))
            and not is_docstring(node)
        ):
            for mention in told:
                if mention.kind is MentionKind.FLAG:
                    self._note((*words_before(node), *mention.path), mention.kind, mention.origin, node)
                elif mention.kind is not MentionKind.KEY or (
                    has_several_words(mention.path[-1]) if self._calls else grammar.scoped and is_key(node)
                ):
                    self.places[mention, node.start_point.row + 1] = None
        if kind in grammar.keywords:
            self._keyword(node)
        if kind in grammar.bindings:
            self._binding(node, *grammar.bindings[kind])
        if kind in grammar.typed:
            self._typed(node, *grammar.typed[kind])
        if kind in grammar.classes:
            self._class(node)
        elif kind in grammar.functions:
            self.defined.add(name_of(node))
            if grammar.scoped:
                self._function(node)
            elif self._calls and node.start_point.column:
                # A method, which may override one of the class that it extends.
                self._note(("", name_of(node)), MentionKind.DEFINITION, Origin.UNKNOWN, node)

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
            line = node.end_point.row if "\n" not in text_of(node) else node.start_point.row
            self.places[Mention(path, MentionKind.NAME, Origin.IMPORTED, len(path)), line + 1] = None
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
            if node.type in self.grammar.members:
                inner, last = self.grammar.members[node.type]
                behind.append(text_of(node.child_by_field_name(last)))
                through = through or node.type in ("method_invocation", "call")
                if (before := node.child_by_field_name(inner)) is None:
                    return self._from(behind.pop(), behind, through=through)
                node = before
            elif module := self._required(node):
                return (module, *reversed(behind)), Origin.DERIVED if through else Origin.IMPORTED
            elif node.type in self.grammar.through:
                node, through = node.child_by_field_name(self.grammar.through[node.type]), True
            elif node.type in self.grammar.wrappers:
                node = node.named_children[0] if node.named_children else None
            elif node.named_child_count == 0:
                return self._from(text_of(node), behind, through=through)
            else:
                return None
        return None

    def _from(self, name: str, behind: list[str], *, through: bool) -> _Known:
        if self.grammar.scoped and name in _OF_OWN_CLASS:
            if behind and (made := self._find(f"self.{behind[-1]}")):
                return (*made[0], *reversed(behind[:-1])), Origin.DERIVED
            if own := next((scope.own_class for scope in reversed(self._scopes) if scope.own_class), None):
                return (*own, *reversed(behind)), Origin.DERIVED
        path, origin = self._find(name) or ((name,), Origin.UNKNOWN)
        if origin is Origin.UNKNOWN and self.grammar.package == "tree_sitter_ruby" and name[:1].isupper():
            # Ruby's constants are the same everywhere, wherever they are defined.
            origin = Origin.IMPORTED
        if through and origin is Origin.IMPORTED:
            origin = Origin.DERIVED
        return (*path, *reversed(behind)), origin

    def _member(self, node: Node) -> None:
        inner, last = self.grammar.members[node.type]
        name = node.child_by_field_name(last)
        owner = node.child_by_field_name(inner)
        if name is None:
            return None
        if owner is None:
            return self._identifier(name)
        if owner.named_child_count == 0 and self._is_own(text_of(owner)):
            return None
        path, origin = self._resolve(owner) or (("",), Origin.UNKNOWN)
        written = 2 if origin is Origin.IMPORTED and node.type == "scope_resolution" else 1
        self._note((*path, text_of(name)), MentionKind.NAME, origin, name, written=written)
        if path[-1] == "env" and _is_upper(text_of(name)):
            self._note((text_of(name),), MentionKind.ENVIRONMENT, Origin.UNKNOWN, name)
        return None

    def _is_own(self, name: str) -> bool:
        return name in self.grammar.own_objects and self._find(name) is None

    def _identifier(self, node: Node) -> None:
        name = text_of(node)
        known = self._find(name)
        if known and known[1] is Origin.IMPORTED:
            if not self._is_member_name(node):
                self._note(known[0], MentionKind.NAME, Origin.IMPORTED, node)
        elif known is None and self.grammar.bare_names:
            self._note(("", name), MentionKind.NAME, Origin.UNKNOWN, node)
            if name[:1].isupper() and self.grammar.package == "tree_sitter_ruby":
                self.subjects.add(plain(name))
                self._note((name,), MentionKind.NAME, Origin.IMPORTED, node)
        elif (
            known is None
            and self._stars
            and (name[:1].isupper() or self.grammar.scoped)
            and not self._is_member_name(node)
        ):
            for module in self._stars:
                self._note((*module, name), MentionKind.NAME, Origin.DERIVED, node)
        elif known is None and self._calls and (self._says_enough(node) or self._is_called(node)):
            self._note(("", name), MentionKind.NAME, Origin.UNKNOWN, node)

    def _says_enough(self, node: Node) -> bool:
        name = text_of(node)
        return has_several_words(name) and name not in self._bound and not self._is_member_name(node)

    def _is_called(self, node: Node) -> bool:
        around = node.parent
        if around is None or around.type not in self.grammar.through:
            return around is not None and ("decorator" in around.type or around.type == "token_tree")
        return around.child_by_field_name(self.grammar.through[around.type]) == node

    def _is_member_name(self, node: Node) -> bool:
        around = node.parent
        if around is None or around.type not in self.grammar.members:
            return False
        inner, last = self.grammar.members[around.type]
        return around.child_by_field_name(inner) is not None and around.child_by_field_name(last) == node

    def _keyword(self, node: Node) -> None:
        if node.type == "method_definition" and (node.parent is None or node.parent.type != "object"):
            return
        keys, taker = keys_around(node)
        field = self.grammar.keywords[node.type]
        name = node.child_by_field_name(field) if field else next(iter(node.named_children), node)
        if name is None:
            return
        path = (*keys, text_of(name).strip("'\"`"))
        if taker is not None:
            is_named = taker.type.startswith("jsx_") or taker.type == "annotation"
            callee = taker.child_by_field_name("name") if is_named else taker
            if found := self._resolve(callee):
                self._note((*found[0], *path), MentionKind.KEYWORD, found[1], name)
        elif self._configured:
            self._note((self._configured, *path), MentionKind.KEYWORD, Origin.IMPORTED, name)

    def _binding(self, node: Node, left: str, right: str) -> None:
        name = node.child_by_field_name(left)
        value = node.child_by_field_name(right) if right else next(iter(node.named_children), None)
        if name is None:
            return
        self._bound.add(text_of(name))
        own = self._scopes[-1].own_class
        if own and name.type == "identifier":
            # What a class assigns may be an option that the class it extends reads.
            self.defined.add(text_of(name))
            self._note((*own, text_of(name)), MentionKind.DEFINITION, Origin.DERIVED, name)
        if value is None:
            return
        found = self._resolve(value)
        # In a piece of a file only what begins a line is sure to be of the module: configuration, in any case.
        is_setting = self._calls and self.grammar.scoped and not name.start_point.column and "_" in text_of(name)
        if _is_upper(text_of(name)) or is_setting:
            self._note((text_of(name),), MentionKind.SETTING, Origin.UNKNOWN, name)
        if found is None or found[1] is Origin.UNKNOWN:
            if self.grammar.scoped and self._find(text_of(name)):
                self._bind(text_of(name), None)
        elif name.type == "object_pattern":
            for child in name.named_children:
                key = child.child_by_field_name("key") or child
                bound = child.child_by_field_name("value") or child
                self._bind(text_of(bound), ((*found[0], text_of(key)), found[1]))
                self._note((*found[0], text_of(key)), MentionKind.NAME, found[1], child)
        elif name.type in _PATTERNS:
            for child in name.named_children:
                self._bind(text_of(child), (found[0], Origin.DERIVED))
        elif name.type == "attribute":
            self.defined.add(text_of(name.child_by_field_name("attribute")))
            around = next((scope for scope in reversed(self._scopes) if scope.own_class), self._scopes[0])
            around.known.setdefault(text_of(name), found)
        else:
            is_made = node.type in ("for_statement", "as_pattern")
            self._bind(text_of(name), (found[0], Origin.DERIVED) if is_made else found)

    def _required(self, call: Node) -> str | None:
        """The module that a call of `require` or `import` gives."""
        if call.type != "call_expression" or text_of(call.child_by_field_name("function")) not in ("require", "import"):
            return None
        module = text_of(call.child_by_field_name("arguments")).strip("()'\"` \n")
        if module:
            self.subjects.update(filter(None, (plain(part) for part in re.split(r"[/@]", module))))
            self._note((module,), MentionKind.NAME, Origin.IMPORTED, call)
        return module

    def _typed(self, node: Node, left: str, right: str) -> None:
        name, kind = node.child_by_field_name(left) if left else None, node.child_by_field_name(right)
        name = name or (node.named_children[0] if node.named_children else None)
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
        """Note a function as what overrides a method or is a hook, and open its scope, where parameters hide names."""
        own, name = self._scopes[-1].own_class, node.child_by_field_name("name")
        if name is not None:
            self._note((*own, text_of(name)), MentionKind.DEFINITION, Origin.DERIVED, name)
            if not own:
                self._bind(text_of(name), None)
        parameters = node.child_by_field_name("parameters")
        named = parameters.named_children if parameters else ()
        hidden = (each.child_by_field_name("name") or next(iter(each.named_children), each) for each in named)
        self._scopes.append(_Scope(node.end_byte, {text_of(each): None for each in hidden}))
