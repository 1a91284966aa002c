"""Dockerfiles, workflows and hooks: images, actions, and packages that shell commands install (not the system's)."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import COMMENT, REFERENCE, TAG, range_version, version_in
from corpus.dependencies.languages import requirement
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.stated import SET_UP, USES, read_lines

_WORD = re.compile(r"\"[^\"]*+\"?|'[^']*+'?|&&|\|\||[;|&]|[^\s\"';|&]++")
_SEPARATORS = {"&&", "||", ";", "|", "&"}
_PYTHON_TOOLS = re.compile(r"\A(?:.*/)?(?:pip[0-9.]*|uv|uvx|pipx|poetry|pdm|pipenv)")
_NODE_TOOLS = re.compile(r"npm|yarn|pnpm|bun|npx|bunx|corepack")
_CONDA_TOOLS = re.compile(r"conda|mamba|micromamba")
_ALL_TOOLS = (_PYTHON_TOOLS, _NODE_TOOLS, _CONDA_TOOLS)
_VERBS = {"install", "add", "i", "inject", "run", "tool", "global", "dlx", "exec", "x", "pip", "create", "prepare"}
_RUNNERS = {"uvx", "npx", "bunx"}
_PINNED = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[\w,.-]*\])?\s*(?:[=~]=|>=)\s*[0-9]", re.ASCII)
_AT_VERSION = re.compile(
    r"(?P<name>(?:@[\w.~-]+/)?[A-Za-z0-9][\w.~-]*)(?:\[[\w,.-]*\])?@(?P<version>[\^~v=]*[0-9][^@/:]*)", re.ASCII
)
_CONDA_PIN = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)=(?P<version>[0-9][\w.*]*)(?:=\S*)?", re.ASCII)
_DEFAULT = re.compile(r"\$\{\w+:?-([^{}$]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9._/-]*")
_IMAGE_LINE = re.compile(
    r"\s*(?:-\s+)?(?:[\"']?(?:image|container)[\"']?\s*:\s*[\"']?|uses\s*:\s*[\"']?(?=docker://))(?P<reference>(?:\$\{[^}]{0,100}\}|[^\"'\s#,}])+)"
)
_REPOSITORY_LINE = re.compile(r"(?P<indent>\s*)(?:-\s+)?(?:repository|name)\s*:\s*[\"']?(?P<reference>[^\"'\s#]+)")
_TAG_LINE = re.compile(r"(?P<indent>\s*)(?:tag|newTag)\s*:\s*[\"']?(?P<tag>v?[0-9][^\"'\s#]*)")
_NEAR = 6  # Lines between a `repository:` and the `tag:` that belongs to it.
_FROM = re.compile(r"\s*FROM\s+(?:--platform=\S+\s+)?(?P<reference>\S+)(?:\s+AS\s+(?P<stage>\S+))?", re.IGNORECASE)
_COPY_FROM = re.compile(r"\s*COPY\s+(?:--(?!from=)\S+\s+)*--from=(?P<reference>\S+)", re.IGNORECASE)
_SETS = re.compile(r"\s*(?:ARG|ENV)\s", re.IGNORECASE)
_SETTING = re.compile(r"(?<!\S)(?P<name>\w+)=[\"']?(?P<value>[^\"'\s]*)")
_VARIABLE = re.compile(r"\$(?:\{(?P<braced>\w+)(?::?[-+][^}]{0,100})?\}|(?P<plain>\w+))")

_HOOK_OF = re.compile(r"\s*(?:-\s+)?repo\s*:\s*[\"']?(?P<url>[^\s\"'#]+)")
_REVISION = re.compile(r"\s*rev\s*:\s*[\"']?(?P<reference>[^\s\"'#]+)[\"']?(?:\s+(?P<comment>#.*))?")
_HOOK_NAME = re.compile(r"\Amirrors-|[-_]pre-?commit\Z|\.git\Z")
_HOOK_WORD = re.compile(r"[\"']?([^\s\"'\[\],]+)")

_MAX_VARIABLES, _MAX_VALUE = 20, 100


def read_installs(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every package with a version that commands install, also across lines that end in a backslash."""
    tool: re.Pattern[str] | None = None
    is_open = False
    # If a line continues one outside the part, its command is unknown, and only pip's own pins are read.
    is_known = False
    for line in lines:
        text = line.text.strip()
        if not is_open:
            tool, is_known = None, False
        is_open = text.endswith("\\")
        words = [word.strip("\"'") for word in _WORD.findall(text.removesuffix("\\"))]
        for position, word in enumerate(words):
            is_called = word in _RUNNERS or not _VERBS.isdisjoint(words[position + 1 : position + 4])
            called_tools = [tools for tools in _ALL_TOOLS if is_called and tools.fullmatch(word)]
            if word in _SEPARATORS or called_tools:
                tool, is_known = next(iter(called_tools), None), True
            elif tool is _PYTHON_TOOLS or (tool is None and not is_known and is_open and _PINNED.match(word)):
                # `uv tool install ruff@0.4.1` is Python's too.
                yield from (each._replace(ecosystem=Ecosystem.PYPI) for each in read_word(line.number, word))
            elif tool is _NODE_TOOLS:
                yield from read_word(line.number, word)
            elif tool is _CONDA_TOOLS and (pin := _CONDA_PIN.fullmatch(word)):
                yield from requirement(line.number, f"{pin['name']}=={pin['version'].rstrip('*.')}")


def read_word(number: int, word: str) -> Iterator[Dependency]:
    """Yield the package with a version that a word names: `django==5.1` as pip's, `prettier@3.1` as npm's."""
    if _PINNED.match(word):
        yield from requirement(number, word, needs_version=True)
    elif match := _AT_VERSION.fullmatch(word):
        yield Dependency(match["name"], Ecosystem.NPM, range_version(match["version"]), number)


def read_image_lines(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every `image: name:tag` and `uses: docker://name:tag`, and `repository:` or `name:` with `tag:` or
    `newTag:` below it on the same level."""
    repository: tuple[str, str, int] | None = None
    for line in lines:
        if match := _IMAGE_LINE.match(line.text):
            yield from read_image(line.number, match["reference"].removeprefix("docker://"))
        elif match := _REPOSITORY_LINE.match(line.text):
            # A reference with a tag needs no tag line.
            has_tag = ":" in match["reference"].rpartition("/")[2]
            repository = None if has_tag else (match["reference"], match["indent"], line.number)
        elif (match := _TAG_LINE.match(line.text)) and repository:
            name, indent, number = repository
            if line.number - number <= _NEAR and len(match["indent"]) - len(indent) in {0, 2}:
                yield from read_image(line.number, f"{name}:{match['tag']}")


def read_image(number: int, reference: str) -> Iterator[Dependency]:
    """Yield the dependency of a reference such as `docker.io/library/postgres:15.4-alpine@sha256:…`; none if a template
    fills in its name. Compose's `${TAG:-15.4}` counts as its default."""
    name = _DEFAULT.sub(r"\1", reference).partition("@")[0]
    host, slash, path = name.partition("/")
    if slash and ("." in host or ":" in host or host == "localhost"):
        name = path
    name, _, tag = name.partition(":")
    name = name.rpartition("library/")[2]
    if _NAME.fullmatch(name):
        yield Dependency(name, Ecosystem.IMAGE, version_in(TAG, tag), number)


def read_dockerfile(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every image of `FROM` and `COPY --from`, and every package installed with a version. Defaults of `ARG` and
    `ENV` are filled in; a version from one of them is reported at its line. Earlier stages aren't images."""
    stages = {base["stage"].lower() for line in lines if (base := _FROM.match(line.text)) and base["stage"]}
    settings: dict[str, Line] = {}
    """Each setting's value with its line."""
    inserted: dict[int, list[Line]] = {}
    filled_lines: list[Line] = []

    def setting_value(match: re.Match[str]) -> str:
        setting = settings.get(match["braced"] or match["plain"])
        # A setting made of settings could double at each line.
        return setting.text if setting and len(setting.text) <= _MAX_VALUE else match[0]

    for line in lines:
        names = [match["braced"] or match["plain"] for match in _VARIABLE.finditer(line.text)]
        # Filling in very many variables would bloat the line.
        known_settings = [settings[name] for name in names if name in settings] if len(names) <= _MAX_VARIABLES else []
        inserted[line.number] = known_settings
        text = _VARIABLE.sub(setting_value, line.text) if known_settings else line.text
        filled_lines.append(Line(line.number, text))
        if _SETS.match(line.text):
            settings |= {match["name"]: Line(line.number, match["value"]) for match in _SETTING.finditer(text)}
    dependencies: list[Dependency] = []
    for line in filled_lines:
        base = _FROM.match(line.text) or _COPY_FROM.match(line.text)
        if base and base["reference"].lower() not in stages and not base["reference"].isdecimal():
            dependencies += read_image(line.number, base["reference"])
    for part in split_parts(filled_lines):
        dependencies += read_installs(part)
    for each in dependencies:
        numbers = (setting.number for setting in inserted[each.line] if each.version and each.version in setting.text)
        yield each._replace(line=next(numbers, each.line))


def read_workflow(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every action, a pinned commit's version taken from the comment beside it; Python, Node, Go, Terraform and
    others that `with:` sets up; every image; every package installed with a version."""
    yield from read_lines(SET_UP, lines)
    yield from read_steps(lines)
    yield from read_installs(lines)


def read_steps(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every action and image of a YAML file, which may be a workflow in any folder."""
    yield from read_lines(USES, lines)
    yield from read_image_lines(lines)


def read_pre_commit(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every hook's repository with its `rev`, named as the tool it runs, and pinned additional dependencies."""
    name: str | None = None
    for line in lines:
        repository = _HOOK_OF.match(line.text)
        revision = _REVISION.match(line.text)
        if repository:
            name = _HOOK_NAME.sub("", repository["url"].removesuffix(".git").rstrip("/").rpartition("/")[2])
        elif revision and name:
            version = version_in(COMMENT, revision["comment"] or "") or version_in(REFERENCE, revision["reference"])
            yield Dependency(name, Ecosystem.PYPI, version, line.number)
            name = None
        else:
            for word in _HOOK_WORD.findall(line.text.partition(" #")[0]):
                yield from read_word(line.number, word)
