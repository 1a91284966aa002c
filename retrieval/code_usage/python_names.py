"""The names that a Python file uses, with imports resolved; read by `ast`, nothing is run or imported.

A file's own classes lead to the classes they extend. Types are followed only as far as a reader sees them at a glance
(`x = Client()`, `x: Client`, `self.x = Client()`); there is no type inference.
"""

import ast
import re
import warnings
from collections.abc import Iterator

from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin, OwnClass
from retrieval.code_usage.parse_errors import Unparsable
from retrieval.code_usage.python_kinds import EMPTY, UNNAMING, module_of
from retrieval.code_usage.python_scope import Path, Resolved, Scope, annotated, bind, instance_of, resolve
from retrieval.code_usage.string_names import command_flags, string_mentions

_SETTING = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def read_python(text: str, *, name: str = "") -> FileNames:
    """The names of one file; `name` is its path relative to the folder, which relative imports start from.

    Raises:
        Unparsable: the text can't be parsed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unparsable(str(error)) from error
    reader = _Reader(module_of(name), is_package=name.endswith("__init__.py"))
    reader.read(tree)
    return FileNames(tuple(reader.places), tuple(reader.classes), frozenset(reader.defined), frozenset(reader.subjects))


class _Reader:
    """Goes through one tree without recursion, so that depth costs no stack."""

    def __init__(self, module: Path, *, is_package: bool) -> None:
        self.places: dict[tuple[Mention, int], None] = {}
        self.classes: list[OwnClass] = []
        self.defined: set[str] = set()
        self.subjects: set[str] = set()
        self._star_imports: list[Path] = []
        self._module = module
        self._package = module if is_package else module[:-1]
        self._scope = Scope()

    def read(self, tree: ast.Module) -> None:
        waiting: list[ast.AST | Scope] = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Scope):
                self._scope = node
                continue
            kind = type(node)
            if kind in UNNAMING:
                waiting.extend(reversed(tuple(ast.iter_child_nodes(node))))
            elif kind not in EMPTY and not (isinstance(node, ast.Name) and self._is_local(node)):
                waiting.extend(reversed(tuple(self._visit(node))))

    def _is_local(self, node: ast.Name) -> bool:
        return not self._star_imports and self._scope.find(node.id) is None

    def _note(self, path: Path, kind: MentionKind, origin: Origin, line: int, *, written: int = 1) -> None:
        self.places[Mention(path, kind, origin, written), line] = None

    def _visit(self, node: ast.AST) -> Iterator[ast.AST | Scope]:
        """Note what `node` names, and give what is still to be visited."""
        match node:
            case ast.Attribute() | ast.Name():
                yield from self._chain(node)
            case ast.Call():
                yield from self._call(node)
            case ast.Constant():
                if isinstance(node.value, str):
                    for mention in string_mentions(node.value):
                        if mention.kind is not MentionKind.KEY:
                            self.places[mention, node.lineno] = None
            case ast.Dict(keys=keys):
                for key in keys:
                    if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
                        self._note((key.value,), MentionKind.KEY, Origin.UNKNOWN, key.lineno)
                yield from ast.iter_child_nodes(node)
            case ast.Expr(value=ast.Constant()):
                return
            case ast.List(elts=words) | ast.Tuple(elts=words):
                self._command(words)
                yield from words
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.ClassDef():
                yield from self._class(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node)
            case ast.Lambda():
                yield node.body
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
                yield from self._assignment(node)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                bind([node.target], _made(instance_of(node.iter, self._scope)), self._scope)
                yield from ast.iter_child_nodes(node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                # The variables of a comprehension are bound behind the expression that uses them.
                inner, self._scope = self._scope, Scope(self._scope)
                yield from node.generators
                yield from (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.comprehension))
                yield inner
            case ast.withitem():
                if node.optional_vars:
                    bind([node.optional_vars], _made(instance_of(node.context_expr, self._scope)), self._scope)
                yield node.context_expr
            case _:
                yield from ast.iter_child_nodes(node)

    def _chain(self, node: ast.Attribute | ast.Name) -> Iterator[ast.AST]:
        found = resolve(node, self._scope)
        line = node.end_lineno or node.lineno
        if found and found.written:
            self._note(found.path, MentionKind.NAME, found.origin, line, written=found.written)
        elif self._star_imports and isinstance(node, ast.Name) and self._scope.find(node.id) is None:
            for module in self._star_imports:
                self._note((*module, node.id), MentionKind.NAME, Origin.DERIVED, line)
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
            if found is None and isinstance(inner, ast.Attribute):
                continue
        if not isinstance(inner, ast.Name):
            # `"".join` and `(a + b).foo` are methods of something whose type nobody sees.
            if (
                found is None
                and isinstance(node, ast.Attribute)
                and not isinstance(inner, ast.Constant | ast.JoinedStr)
            ):
                self._note(("", node.attr), MentionKind.NAME, Origin.UNKNOWN, line)
            yield inner

    def _call(self, node: ast.Call) -> Iterator[ast.AST]:
        function = resolve(node.func, self._scope)
        if function:
            for keyword in node.keywords:
                if keyword.arg:
                    path = (*function.path, keyword.arg)
                    self._note(path, MentionKind.KEYWORD, function.origin, keyword.lineno)
        self._command(node.args)
        yield node.func
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)

    def _command(self, words: list[ast.expr]) -> None:
        strings = [(word.value, word.lineno) for word in words if isinstance(word, ast.Constant)]
        for mention, line in command_flags([(text, line) for text, line in strings if isinstance(text, str)]):
            self.places[mention, line] = None

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = tuple(alias.name.split("."))
                self._note(path, MentionKind.NAME, Origin.IMPORTED, alias.lineno, written=len(path))
                self.subjects.add(path[0].casefold())
                bound = path if alias.asname else path[:1]
                self._scope.names[alias.asname or path[0]] = Resolved(bound, Origin.IMPORTED)
            return
        start = self._package[: len(self._package) - node.level + 1] if node.level else ()
        module = (*start, *(node.module.split(".") if node.module else ()))
        self.subjects.update(part.casefold() for part in module[:1])
        for alias in node.names:
            path = module if alias.name == "*" else (*module, alias.name)
            self._note(path, MentionKind.NAME, Origin.IMPORTED, alias.lineno, written=len(path))
            if alias.name == "*":
                self._star_imports.append(module)
            else:
                self._scope.names[alias.asname or alias.name] = Resolved(path, Origin.IMPORTED)

    def _class(self, node: ast.ClassDef) -> Iterator[ast.AST | Scope]:
        found = (resolve(base, self._scope) for base in node.bases)
        outer = self._scope.own_class or self._module
        path = (*outer, node.name)
        bases = tuple(base.path for base in found if base and base.origin is not Origin.UNKNOWN)
        self.classes.append(OwnClass(path, bases))
        self.defined.add(node.name)
        self._scope.names[node.name] = Resolved(path, Origin.DERIVED)
        yield from (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords))
        around, inner = self._scope, Scope(self._scope, own_class=path)
        yield inner
        yield from node.body
        yield around

    def _function(self, node: _Function) -> Iterator[ast.AST | Scope]:
        self.defined.add(node.name)
        self._note((*(self._scope.own_class or ()), node.name), MentionKind.DEFINITION, Origin.DERIVED, node.lineno)
        if not self._scope.own_class:
            self._scope.names[node.name] = None
        around, inner = self._scope, Scope(self._scope)
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            inner.names[argument.arg] = annotated(argument.annotation, around)
            if argument.annotation:
                yield argument.annotation
        yield from (*node.decorator_list, *arguments.defaults, *(each for each in arguments.kw_defaults if each))
        if node.returns:
            yield node.returns
        yield inner
        yield from node.body
        yield around

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> Iterator[ast.AST]:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if not (self._scope.outer and not self._scope.own_class):
            for target in targets:
                if isinstance(target, ast.Name):
                    self._attribute(target)
        if node.value:
            yield node.value
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        self.defined.update(target.attr for target in targets if isinstance(target, ast.Attribute))
        known = instance_of(node.value, self._scope)
        if known is None and isinstance(node, ast.AnnAssign):
            known = annotated(node.annotation, self._scope)
        bind(targets, known, self._scope)
        yield from (target for target in targets if not isinstance(target, ast.Name))

    def _attribute(self, target: ast.Name) -> None:
        """What a module or class assigns: a setting, or an option that the class it extends reads."""
        if _SETTING.fullmatch(target.id):
            self._note((target.id,), MentionKind.SETTING, Origin.UNKNOWN, target.lineno)
        if self._scope.own_class:
            self.defined.add(target.id)
            path = (*self._scope.own_class, target.id)
            self._note(path, MentionKind.DEFINITION, Origin.DERIVED, target.lineno)


def _made(found: Resolved | None) -> Resolved | None:
    return found and Resolved(found.path, Origin.DERIVED)
