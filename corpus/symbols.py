"""Names in prose: symbols (`torch.cond`, `--flag`, `ENV_VAR`) and references (`#123`, `CVE-…`, `SPARK-44581`)."""

import re
from itertools import islice

_SYMBOL = re.compile(
    r"""
    (?<![\w\\-])--?[A-Za-z](?:[\w-]|\.(?=\w))*[A-Za-z0-9](?!\w)  # --flag, --use-feature
    | (?<![\w./-])@?[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+(?:\(\))?   # torch.cond, c10::Stream
    | \b[A-Za-z]\w*_\w+\b(?:\(\))?                       # snake_case, ENV_VAR, float8_e8m0fnu
    | \b(?:[A-Z][a-z0-9]+){2,}\w*\b                      # GraphImplInterface
    | \b[A-Z]{2,}(?!s\b)[a-z]+[A-Z]?\w*\b                # DTensor, URLField, not the plural of PR
    | \b[a-z]+[A-Z]\w*\b                                 # camelCase
    | \b[A-Za-z_]\w*\(\)                                 # name()
    | \b[a-z]{2,}\d+[a-z]*\b                             # gfx950, syevj2
    """,
    re.VERBOSE,
)
# Any length and across lines, because a skipped span's closing marks would be taken for opening ones.
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?P<code>(?:[^`\n]|\n(?!\s*\n))+)\1(?!`)")
_NAMED_ADVISORY = r"(?:CVE[- ]|(?:GO|OSV|PSF|[A-Z]+(?:SEC|SA))-)\d{4}-\d+|GHSA(?:-\w{4}){3}|SNYK(?:-[A-Z]\w*)+-\d+"
_BARE_ADVISORY = r"(?<!-)[2-9CFGHJMPQRVWX]{4}(?:-[2-9CFGHJMPQRVWX]{4}){2}"  # As GitHub's are numbered.
ADVISORY = re.compile(rf"\b(?:{_NAMED_ADVISORY}|{_BARE_ADVISORY})\b(?!-)", re.IGNORECASE)
"""The identifier of a vulnerability in the databases that release notes cite, GitHub's without its prefix, too."""
_REFERENCE = re.compile(
    rf"""
    (?P<advisory>\b(?:{_NAMED_ADVISORY})\b(?!-))
    | \b(?P<series>PEP|RFC)[- ]?(?P<number>\d{{1,5}})\b
    | (?:\b(?:PR|pull\ request|pull|issue|ticket|bug|GH|bpo)[\s:/#-]{{0,3}}|(?<![\w&])\#|/(?:pull|issues)/)
      (?P<issue>\d{{2,7}})\b
    | \b(?P<ticket>(?-i:(?!ISO|IEC|IEEE|ECMA|FIPS)[A-Z][A-Z0-9]{{1,11}})-\d{{4,7}})\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ROLE = re.compile(
    r":(?P<role>issue|ticket|bug|gh|pr|pull|cve|cve_list|ghsa|pep|rfc|bpo)s?:`(?:[^`<]{0,200}<)?(?P<target>[^`]{1,200})`",
    re.IGNORECASE,
)
_ADVISORY_NUMBERS = {
    "cve": re.compile(r"\A\W*(?:CVE-)?(?P<number>\d{4}-\d{4,7})\b", re.IGNORECASE),
    "ghsa": re.compile(r"\A\W*(?:GHSA-)?(?P<number>\w{4}(?:-\w{4}){2})\b", re.IGNORECASE),
}
_ROLE_NUMBER = re.compile(
    r"\W*(?:[\w.-]{1,80}(?:/[\w.-]{1,80})?\#|[A-Za-z]{1,9}[ -]?)?0*(?P<number>\d{1,7})\b", re.VERBOSE
)
_FILE_LIKE = re.compile(r"\.(?:com|org|io|net|html?|rst|md|txt|py|dev|edu)$", re.IGNORECASE)
_MAX_SYMBOLS = 80
_MAX_NAME_LENGTH = 80


def find_symbols(text: str) -> tuple[str, ...]:
    """Find the distinct code names in `text`, in order, at most 80, without backquotes and `()`; no file names."""
    positions = [(match.start(), match.group()) for match in _SYMBOL.finditer(text)]
    starts = {start for start, _ in positions}
    for match in _CODE.finditer(text):
        # The name in `torch.cond(x, y)` was found already; only its marks show that `Dockerfile` is code.
        if match.start("code") not in starts:
            positions.append((match.start("code"), match.group("code").rstrip(" \n\t:=").lstrip(" \n\t~!")))
    names = (name.removesuffix("()") for _, name in sorted(positions))
    symbols = dict.fromkeys(
        name
        for name in names
        if 2 < len(name) <= _MAX_NAME_LENGTH and not _FILE_LIKE.search(name) and len(name.split()) == 1
    )
    return tuple(islice(symbols, _MAX_SYMBOLS))


def find_references(text: str) -> tuple[str, ...]:
    """Find the distinct references in `text`, in order: "GH-12, pep 649, cve-2024-1" gives #12, PEP 649, CVE-2024-1."""
    positions: list[tuple[int, str]] = []
    for match in _ROLE.finditer(text):
        if reference := _role_reference(match.group("role").casefold(), match.group("target")):
            positions.append((match.start(), reference))
    for match in _REFERENCE.finditer(text):
        name = match[match.lastgroup or 0].upper().replace(" ", "-")
        if match["series"]:
            name = f"{match['series'].upper()} {int(name)}"
        elif match["issue"]:
            name = f"#{name}"
        positions.append((match.start(), name))
    return tuple(dict.fromkeys(reference for _, reference in sorted(positions)))


def _role_reference(role: str, target: str) -> str | None:
    """Return the reference of a Sphinx role, "#123" or "CVE-2024-1234"; None if its target has no number."""
    if database := _ADVISORY_NUMBERS.get(role.removesuffix("_list")):
        match = database.match(target)
        return match and f"{role.removesuffix('_list')}-{match['number']}".upper()
    match = _ROLE_NUMBER.match(target)
    if role in ("pep", "rfc"):
        return match and f"{role.upper()} {match['number']}"
    return match and f"#{match['number']}"
