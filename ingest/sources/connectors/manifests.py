"""Files that list dependencies, as sources: one source for each dependency of PyPI and npm.

The newest release of each is read, whatever version the file asks for: its changelog tells of the older ones too, and
what an upgrade brings is what is asked.
"""

import re
from pathlib import Path

from corpus.dependencies.model import Ecosystem, Line
from corpus.dependencies.reading import read_dependencies
from corpus.errors import SourceError
from ingest.formats.encodings import decode
from ingest.sources.files import MAX_FILE_BYTES

_MANIFEST = re.compile(
    r"(?:[\w.-]*[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)|pyproject\.toml|pipfile(?:\.lock)?"
    r"|(?:uv|poetry|pdm)\.lock|pylock(?:\.[\w-]+)?\.toml|package\.json|(?:package-lock|npm-shrinkwrap)\.json"
    r"|yarn\.lock|pnpm-lock\.ya?ml|bun\.lock",
    re.IGNORECASE,
)
_SCHEMES = {Ecosystem.PYPI: "pypi", Ecosystem.NPM: "npm"}
_NO_PACKAGES = frozenset({("pypi", "python"), ("npm", "node"), ("npm", "npm"), ("npm", "vscode")})
"""What stands among dependencies but is what they run on."""


def is_manifest(file: Path) -> bool:
    """Whether a file lists dependencies, told by its name."""
    return _MANIFEST.fullmatch(file.name) is not None


def read_manifest(file: Path) -> tuple[str, ...]:
    """The sources of a file's dependencies, as `pypi:name` and `npm:name`, each once, in the file's order.

    Raises:
        SourceError: it can't be read, or states none.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise SourceError(f"can't be read ({error.strerror or error}); check its permissions") from error
    if len(content) > MAX_FILE_BYTES:
        raise SourceError(f"is over the limit of {MAX_FILE_BYTES // 2**20} MiB; give its dependencies one by one")
    lines = [Line(number, text) for number, text in enumerate(decode(content).splitlines(), start=1)]
    named = [
        (_SCHEMES[one.ecosystem], one.name) for one in read_dependencies(file.name, lines) if one.ecosystem in _SCHEMES
    ]
    found = dict.fromkeys(f"{scheme}:{name}" for scheme, name in named if (scheme, name.lower()) not in _NO_PACKAGES)
    if not found:
        raise SourceError(
            "states no dependency of PyPI or npm; give a file with notes, or another list of dependencies"
        )
    return tuple(found)
