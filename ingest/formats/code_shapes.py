"""What single lines of code look like; a line counts as code only where it can hardly be prose."""

import re

_MAX_CODE_CHARACTERS = 400

_COMMENT = re.compile(r"(?:#+|//+)(?:\s|\Z)|/\*|\*/")
_CLOSING = re.compile(r"[\[\](){}<>;,.:\s]*[\])}][\[\](){}<>;,.:\s]*\Z|\.\.\.\Z")
_STATEMENT = re.compile(
    r"""(?x)
    from\s+[\w.]+\s+import\s | import\s+[\w.]+(?:\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*;?\Z | import\s+\S.*\sfrom\s+["']
    | @[\w.]+(?:\(|\Z) | (?:async\s+)?def\s+\w+\( | class\s+\w+(?:\(.*\))?\s*[:{]\Z
    | (?:return|yield|raise|assert|await|throw)\s+\S*[()\[\]=_"'.;]\S*\Z
    | (?:if|elif|while|switch)(?:\s*\(|\b.*(?:[\[\]=<>]|\w\()).*[:{]\Z | for\s+.*\sin\s.*[:{]\Z | with\s+[\w.]+\(.*:\Z
    | (?:else|try|finally)\s*:\Z | except\s+[\w.]+(?:\s+as\s+\w+)?:
    | \#(?:include|define|undef|if|ifdef|ifndef|endif|pragma)\b
    | (?:export\s+)?(?:const|let|var)\s+\S.*= | export\s+(?:default|function|class|\w+=)
    | (?:pub\s+)?(?:function|func|fn)\s+\w*\( | (?:use|using|namespace)\s+[\w.:]+\s*[;{]\Z
    | [$]\s+\S | >>>\s\S | PS>\s | </?\w+[^<>]*>.*</?\w+[^<>]*>\Z | ""\s*:\s*\S.*[,{\[]\Z
    """
)
_ASSIGNMENT = re.compile(
    r"(?:[A-Za-z][\w:]*[<>&*\w:]*\s+)?[A-Za-z_$][\w.$]*(?:\[[^\]]*\])*(?:,\s*[A-Za-z_][\w.]*){0,6}"
    r"(?::\s*[\w.\[\]|]+)?\s*(?:[-+*/|&]?=|:=)\s*(?![=>])\S"
)
_CALL = re.compile(r"[A-Za-z_][\w.:]*(?:<[\w:, ]+>)?\((?:.*\)\s*[;:{,]?|[^)]*[,(\[{])\Z")
_BRACES = re.compile(r".*[()=\]}\"']\s*[;{]\Z")
_COMMAND = re.compile(
    r"(?:sudo\s+)?(?:pip3?|pipx|uv|uvx|npm|npx|pnpm|yarn|bun|deno|conda|mamba|poetry|curl|wget|git|docker|podman|apt"
    r"|apt-get|dnf|yum|apk|brew|choco|winget|cargo|rustup|go|make|cmake|mvn|gradle|gem|bundle|composer|dotnet|nuget|helm"
    r"|kubectl|cd|export|source|python3?|node|powershell|bash|sh|tar|unzip|rm|cp|mv|mkdir|chmod|systemctl|\./[\w./-]+)"
    r"\s+(?P<rest>\S.*)\Z"
)
_SUBCOMMAND = re.compile(
    r"(?:install|uninstall|add|remove|update|upgrade|init|build|run|test|clone|pull|push|checkout|venv|create|get|sync"
    r"|pip|lock|publish|apply|i|ci|up|exec|fetch|start|compose)\b"
)
_SHELL = re.compile(r"(?:^|\s)--?[A-Za-z]|[=|\\]|://|\s&&\s|^[\w~-]*[./][A-Za-z_][\w./~-]*\Z")
_TRAILING_COMMENT = re.compile(r"\s(?:#|//)\s.*\Z")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SENTENCE_WORD = re.compile(
    r"\b(?:is|are|was|were|be|has|have|now|can|to|the|a|an|and|or|of|for|in|on|with|when)\b|[a-z][.,:!?]\Z"
)
_PROSE = re.compile(r"[a-z]{2,}(?: [a-z]{2,}){4,}|\)\s+[a-z]+\s+[a-z]|[a-z]{3,}[.!?]\Z")


def is_comment(text: str) -> bool:
    """Whether the line is a comment of a programming language, or could be a Markdown heading."""
    return _COMMENT.match(text) is not None


def is_code(text: str) -> bool:
    """Whether the line can hardly be prose: a statement, an assignment, a call or a shell command."""
    if len(text) > _MAX_CODE_CHARACTERS:
        return False
    command = _COMMAND.match(text)
    bare = _QUOTED.sub('""', _TRAILING_COMMENT.sub("", text)).rstrip()
    if command and _SUBCOMMAND.match(command["rest"]) and not _SENTENCE_WORD.search(bare):
        return True
    if _PROSE.search(bare):
        return False
    if any(pattern.match(bare) for pattern in (_STATEMENT, _ASSIGNMENT, _CALL, _BRACES)):
        return True
    if command is None or bare.endswith((":", ",", "!", "?")):
        return False
    return _SHELL.search(command["rest"]) is not None


def is_closing(text: str) -> bool:
    """Whether the line is brackets only, which goes with the code before it."""
    return len(text) <= _MAX_CODE_CHARACTERS and _CLOSING.match(text) is not None
