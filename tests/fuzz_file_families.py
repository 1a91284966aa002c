"""Files and answers of others that grow: feeds, lists of releases, archives and bombs, settings."""

import gzip
import io
import math
import zipfile
from collections.abc import Mapping

from fuzz_growing import Family, counted, deep_json, nested, repeated


def _entities(size: int) -> bytes:
    laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    return (
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "{"x" * min(size, 1000)}">{laughs}]><rss><channel><item><title>&a12;</title></item></channel></rss>'.encode()
        + b" " * size
    )


def _gzip_bomb(size: int) -> bytes:
    return gzip.compress(b"\0" * (size * 200), 9)


def _zip_bomb(size: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"gizmo/notes{number}.md", b"\0" * (size * 50))
    return held.getvalue()


def _zip_of_many(size: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for number in range(size // 120):
            archive.writestr(f"gizmo/n{number}.md", b"# 1.2\n")
    return held.getvalue()


_YAML_ALIASES = (
    "---\na0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [{f'*a{n}, ' * 9}x]\n" for n in range(9)) + "---\ntext\n"
)
FILES: Mapping[str, Mapping[str, Family]] = {
    "front-matter": {
        "aliases of aliases": lambda size: _YAML_ALIASES.encode() + b"x" * size,
        "nested flow": lambda size: b"---\n" + b"{a: " * (size // 4) + b"\n---\n",
        "nested lines": lambda size: (
            b"---\n" + b"".join(b" " * n + b"a:\n" for n in range(math.isqrt(2 * size))) + b"---\n"
        ),
        "many keys": counted("k@: v\n", before="---\n", after="---\n"),
        "nested TOML": lambda size: b"+++\na = " + b"[" * (size // 2) + b"]" * (size // 2) + b"\n+++\n",
        "dotted TOML": lambda size: b"+++\n" + b"a." * (size // 2) + b"b = 1\n+++\n",
    },
    "feed": {
        "entities": _entities,
        "counted entries": counted(
            "<item><title>1.@</title><link>http://a/@</link><description>x @</description></item>",
            before="<rss><channel>",
            after="</channel></rss>",
        ),
        "nested elements": nested("<a>", "x", "</a>"),
        "nested in an entry": lambda size: (
            b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>a</title><content type='xhtml'>"
            + b"<div>" * (size // 11)
            + b"x"
            + b"</div>" * (size // 11)
            + b"</content></entry></feed>"
        ),
        "attributes": counted("a@='b' ", before="<rss ", after="></rss>"),
        "namespaces": counted("xmlns:a@='b' ", before="<rss ", after="></rss>"),
    },
    "releases-file": {
        "deep": deep_json,
        "counted releases": counted(
            '{"tag_name": "v1.@", "body": "* x @", "html_url": "https://github.com/a/b/releases/tag/v1.@"},',
            before="[",
            after='{"tag_name": "v0", "body": "x"}]',
        ),
        "one JSON a line": counted('{"tag_name": "v1.@", "body": "* x @"}\n'),
        "open brackets": repeated("["),
        "open objects": repeated('{"a":'),
    },
    "container": {
        "gzip bomb": _gzip_bomb,
        "zip bomb": _zip_bomb,
        "many files": _zip_of_many,
        "two bombs in one": lambda size: gzip.compress(_gzip_bomb(size)),
        "tar of many": lambda size: (b"a" * 100 + b"0" * 412) * (size // 512),
    },
    "answers-of-others": {
        "counted links": counted('<a href="gizmo-1.@.tar.gz">gizmo-1.@.tar.gz</a>'),
        "counted files": counted(
            '{"filename": "gizmo-1.@.tar.gz", "url": "gizmo-1.@.tar.gz"},', before='{"files": [', after="{}]}"
        ),
        "robots": counted("Disallow: /@*a*b*c$\n", before="User-agent: *\n"),
        "one rule of stars": repeated("*a", before="User-agent: *\nDisallow: /", after="b$"),
        "one rule of percents": repeated("%41", before="User-agent: *\nDisallow: /"),
        "unclosed links": repeated("<a href="),
        "unclosed attributes": repeated("<a b='"),
        "declarations": repeated("<!"),
        "base": repeated("<base href='a/'>"),
    },
    "relnotes.toml": {
        "counted sources": counted('[[source]]\nsource = "github:a/b@"\n'),
        "counted documents": counted('[[document]]\npath = "*@"\n'),
        "nested": lambda size: b"a = " + b"[" * size,
        "dotted": lambda size: b"a." * (size // 2) + b"b = 1",
        "stars": repeated("*a", before='[[document]]\npath = "', after='"\n'),
    },
    "ui-files": {
        "counted tokens": counted('[t@]\nsha256 = "00"\n'),
        "counted questions": counted('{"id": "@", "question": "q @"}\n'),
        "nested": lambda size: b"a = " + b"[" * size,
    },
    "model-reply": {
        "events": counted('data: {"choices": [{"delta": {"content": "a [1]"}}]}\n'),
        "lines": repeated("data\n"),
        "one line": repeated("a"),
        "deep": deep_json,
    },
}
