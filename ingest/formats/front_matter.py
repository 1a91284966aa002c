"""Splits off front matter, the YAML (`---`) or TOML (`+++`) head for a site generator; and the head of a mail."""

import re
from collections.abc import Mapping
from datetime import date

from corpus.toml_text import load_toml

KEYS = ("title", "date", "product", "version", "url")

# Site generators write a few dozen lines.
_MAX_CHARACTERS = 32_768
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
_YAML_FIELD = re.compile(r"([A-Za-z_][\w.-]*):(?:[ \t]++(.*))?")
_NO_SCALAR = tuple("[{&*!|>%@`")


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
    stated: Mapping[str, object] = {}
    try:
        stated = load_toml(source, parse_float=str) if fence == "+++" else _yaml_fields(source)
    except (ValueError, OverflowError, RecursionError):
        return body
    if not stated:
        return body
    if not all(isinstance(key, str) and _KEY.match(key) for key in stated):
        return body
    values: dict[str, str] = {}
    for key, value in stated.items():
        if key.lower() in KEYS and isinstance(value, date | str | int):
            shown = value.isoformat() if isinstance(value, date) else str(value).strip()
            if shown:
                values.setdefault(key.lower(), shown)
    return values, opening.end() + closing.end()


def _yaml_fields(head: str) -> dict[str, object]:
    """Return the fields of a mapping with a value on the line of their key, None for others; nested values are skipped.

    Raises:
        ValueError: a line is none of a mapping.
    """
    fields: dict[str, object] = {}
    for line in head.split("\n"):
        if not line.strip() or line.startswith((" ", "\t", "#", "-")):
            continue
        field = _YAML_FIELD.fullmatch(line)
        if field is None:
            raise ValueError(line)
        value = (field[2] or "").strip()
        if value.startswith(('"', "'")):
            fields[field[1]] = value[1:].rpartition(value[0])[0]
        else:
            fields[field[1]] = None if value.startswith(_NO_SCALAR) else value.partition(" #")[0].rstrip()
    return fields
