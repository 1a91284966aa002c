"""markdown-it set up for release notes: block tokens with line numbers, inline tokens on demand."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin

# Two a list level. What is nested deeper is kept as paragraphs, so that no input can exhaust the stack.
_MAX_NESTING = 20
# The inline parser takes quadratic time over brackets that never close.
_MAX_BRACKETS = 40
_MAX_LAZY_LINES = 100
_ATTRIBUTE_LIST = re.compile(r"\s*\{:?\s*[#.][^{}]*\}\s*$")


class MarkdownTokens:
    """The tokens of one document."""

    def __init__(self, body: str) -> None:
        self._references: dict[str, object] = {}
        self.blocks: tuple[Token, ...] = tuple(_parser().parse(body, self._references))
        """Block tokens in order; `map` counts lines of `body` from 0."""

    def plain_title(self, markup: str) -> str:
        """A heading's inline markup as it reads; links by reference are known from the whole document."""
        if markup.count("[") > _MAX_BRACKETS:
            return " ".join(markup.split())
        tokens: list[Token] = []
        _parser().inline.parse(_ATTRIBUTE_LIST.sub("", markup), _parser(), self._references, tokens)
        return " ".join("".join(_shown(token) for token in tokens).split())


def _shown(token: Token) -> str:
    if token.type.endswith("break"):
        return " "
    return "" if token.type == "html_inline" else token.content


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table").use(admon_plugin)
    # Inline markup of whole documents is never needed, and is where hostile input costs the most.
    parser.core.ruler.disable(["inline", "text_join"])
    ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.at("blockquote", _bounded_blockquote, ends)
    parser.block.ruler.before("fence", "container_fence", _container_fence, ends)
    return parser


def _bounded_blockquote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A quote that ends where, after lines without `>` that may belong to it, another line has one.

    The rule looks through all such lines to the end of the document, for each quote anew: quadratic time over quotes
    that hold no paragraph to go on.
    """
    stop, lazy = start_line + 1, 0
    if silent or not _is_quoted(state, start_line):
        return blockquote(state, start_line, end_line, silent)
    while stop < end_line and not state.isEmpty(stop):
        quoted = _is_quoted(state, stop)
        if (quoted and lazy) or lazy > _MAX_LAZY_LINES:
            break
        lazy += not quoted
        stop += 1
    return blockquote(state, start_line, stop, silent)


def _is_quoted(state: StateBlock, line: int) -> bool:
    return state.src.startswith(">", state.bMarks[line] + state.tShift[line])


def _container_fence(state: StateBlock, start_line: int, _end_line: int, silent: bool) -> bool:
    """Take a `:::` line as one token, so that what stands between two of them is ordinary Markdown."""
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if state.is_code_block(start_line) or not state.src.startswith(":::", begin):
        return False
    if not silent:
        state.push("container_fence", "", 0).map = [start_line, start_line + 1]
        state.line = start_line + 1
    return True
