"""Splits off front matter, the YAML (`---`) or TOML (`+++`) head for a site generator; and the head of a mail."""

import re
from collections.abc import Mapping
from datetime import date

import yaml

from corpus.toml_text import load_toml

KEYS = ("title", "date", "product", "version", "url")

# Site generators write a few dozen lines; the bound keeps a hostile file from reaching the YAML reader.
_MAX_CHARACTERS = 32_768
# The YAML reader takes quadratic time over brackets left open.
_MAX_BRACKETS = 500
_OPENING = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)")
_CLOSING = {
    "---": re.compile(r"(?:^|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)"),
    "+++": re.compile(r"(?:^|(?<=[\r\n]))\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)"),
}
_MAIL = re.compile(
    r"\ufeff?(?:From .{1,200}\n)?(?:[A-Z][\w-]{0,40}: .{0,999}\n(?:[ \t].{0,999}\n){0,99}){3,99}\r?\n", re.ASCII
)
_MAIL_FIELD = re.compile(r"(?m)^(?P<key>From|Date|Subject): *(?:\[[^\[\]\n]*\] *)*(?P<value>.*(?:\n[ \t].*)*)")
_KEY = re.compile(r"[A-Za-z_][\w.-]*\Z")


def split_front_matter(text: str) -> tuple[Mapping[str, str], int]:
    """Return the fields of the front matter at the start of `text`, and the offset of the body's first code point.

    Only those of `KEYS` with a scalar, as written (`4.10` stays "4.10"); of a mail's head, title and date; without
    front matter none, and 0 or the offset behind a byte order mark. A thematic break that opens no mapping is body.
    Never raises: a head that can't be read as YAML or TOML, or is longer than 32,768 characters, is body too.
    """
    body: tuple[Mapping[str, str], int] = {}, 1 if text.startswith("\ufeff") else 0
    mail = _MAIL.match(text)
    fields = {field["key"]: " ".join(field["value"].split()) for field in _MAIL_FIELD.finditer(mail[0])} if mail else {}
    if mail and len(fields) > 2:
        return {"title": fields["Subject"], "date": fields["Date"]}, mail.end()
    opening = _OPENING.match(text)
    if opening is None:
        return body
    fence = opening.group(1)
    head = text[opening.end() : opening.end() + _MAX_CHARACTERS]
    closing = _CLOSING[fence].search(head)
    if closing is None:
        return body
    source = head[: closing.start()].replace("\r\n", "\n").replace("\r", "\n")
    stated: object = None
    try:
        if fence == "+++":
            stated = load_toml(source, parse_float=str)
        elif source.count("[") + source.count("{") <= _MAX_BRACKETS:
            # BaseLoader builds strings, lists and mappings only: as safe as safe_load, and `4.10` stays "4.10".
            stated = yaml.load(source, Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return body
    if not stated or not isinstance(stated, dict):
        return body
    if not all(isinstance(key, str) and _KEY.match(key) for key in stated):
        return body
    values: dict[str, str] = {}
    for key, value in stated.items():
        # Only scalars are used, because lists of YAML aliases can be of exponential length.
        if key.lower() in KEYS and isinstance(value, date | str | int):
            shown = value.isoformat() if isinstance(value, date) else str(value).strip()
            if shown:
                values.setdefault(key.lower(), shown)
    return values, opening.end() + closing.end()
