"""Checks the addresses of originals: they become links on a page, so that only plain web addresses are kept."""

import re
from urllib.parse import urljoin, urlsplit

_MAX_CHARACTERS = 2_048
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f<>\"\\^`{|}]")


def is_web_address(text: str) -> bool:
    """Return whether `text` is an http or https address of at most 2,048 characters, with a host, without a user's name
    or password, and without characters that need encoding."""
    return address_fault(text) is None


def address_fault(text: str) -> str | None:
    """Return why `text` isn't a valid web address, as the end of a sentence; None if it is."""
    try:
        parts = urlsplit(text)
        host, _, user = parts.hostname, parts.port, parts.username
    except ValueError:
        return "isn't a well-formed address"
    if parts.scheme not in ("http", "https"):
        return "must begin with http:// or https://"
    if user is not None:
        return "names a user or a password, which would be published: leave out what stands before the @"
    if not host:
        return "must name a host"
    if len(text) > _MAX_CHARACTERS:
        return f"must be at most {_MAX_CHARACTERS:,} characters"
    if unprintable := _UNPRINTABLE.search(text):
        return f"must not hold {unprintable[0]!r}: percent-encode it"
    return None


def bracketed(host: str) -> str:
    """Return `host` as written in an address, an IPv6 number in brackets: `::1` -> `[::1]`."""
    bare = host.strip("[]")
    return f"[{bare}]" if ":" in bare else bare


def without_user(url: str) -> str:
    """Return `url` without a user's name and password; unchanged if it is malformed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl() if "@" in parts.netloc else url


def join_url(url: str, link: str) -> str:
    """Return the address that a link on the page `url` leads to; empty if it is malformed (a cut IPv6 one)."""
    try:
        return urljoin(url, link)
    except ValueError:
        return ""
