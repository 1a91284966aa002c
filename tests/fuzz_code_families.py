"""Diffs and files of dependencies that grow."""

from collections.abc import Mapping

from fuzz_growing import Family, counted, nested, repeated

_DIFF_HEAD = "diff --git a/requirements.txt b/requirements.txt\n--- a/requirements.txt\n+++ b/requirements.txt\n"
DIFF: Mapping[str, Family] = {
    "counted hunks": counted("@@ -@1 +@1 @@\n-p@==1\n+p@==2\n", before=_DIFF_HEAD),
    "counted files": counted("--- a/r@.py\n+++ b/r@.py\n@@ -1 +1 @@\n-import a@\n+import b@\n"),
    "counted dependency files": counted(
        "--- a/d@/requirements.txt\n+++ b/d@/requirements.txt\n@@ -1 +1 @@\n-p@==1\n+p@==2\n"
    ),
    "git headers": counted("diff --git a/a@ b/a@\nold mode 1\n"),
    "a git header of many blanks": lambda size: b"diff --git " + b"a " * (size // 2) + b"\n@@ -1 +1 @@\n-a\n+b\n",
    "a git header of many halves": lambda size: b"diff --git " + b"a b/" * (size // 4) + b"\n@@ -1 +1 @@\n-a\n+b\n",
    "one hunk of many lines": lambda size: (
        f"{_DIFF_HEAD}@@ -1,{size // 24} +1,{size // 24} @@\n"
        + "".join(f"-p{n}==1.0\n+p{n}==2.0\n" for n in range(size // 24))
    ).encode(),
    "one hunk of the same name": lambda size: (
        f"{_DIFF_HEAD}@@ -1,{size // 20} +1,{size // 20} @@\n"
        + "".join(f"-p==1.{n}\n+p==2.{n}\n" for n in range(size // 20))
    ).encode(),
    "one hunk of Python": lambda size: (
        f"--- a/x.py\n+++ b/x.py\n@@ -1,0 +1,{size // 24} @@\n"
        + "".join(f"+import torch.m{n} as n{n}\n" for n in range(size // 24))
    ).encode(),
    "one line of code": lambda size: b"--- a/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+" + b"f(" * (size // 2) + b"\n",
    "one hunk of JavaScript": lambda size: (
        f"--- a/x.js\n+++ b/x.js\n@@ -1,0 +1,{size // 24} @@\n"
        + "".join(f"+import {{a{n}}} from 'b{n}'\n" for n in range(size // 24))
    ).encode(),
    "brackets over lines of code": lambda size: (
        f"--- a/x.py\n+++ b/x.py\n@@ -1,0 +1,{size // 3} @@\n" + "+(\n" * (size // 3)
    ).encode(),
    "quoted path": lambda size: b'--- "a/' + b"\\303" * (size // 4) + b'"\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
}
DEPENDENCIES: Mapping[str, Family] = {
    "counted requirements": counted("p@==1.@ \\\n    --hash=sha256:00\n"),
    "counted packages of TOML": counted('[[package]]\nname = "p@"\nversion = "1.@"\n'),
    "counted packages of JSON": counted(
        '"node_modules/p@": {"version": "1.@"},\n', before='{"packages": {\n', after='"x": {}}}'
    ),
    "counted pairs of JSON": counted('"p@": "^1.@",\n', before='{"dependencies": {\n', after='"x": "1"}}'),
    "counted packages of yarn": counted('p@@npm:^1, p@@npm:^2:\n  version "1.@"\n\n'),
    "counted packages of pnpm": counted("  p@@1.@:\n    resolution: {}\n", before="packages:\n"),
    "counted images": counted("FROM a:${V@} AS s@\n", before="ARG V1=2\n"),
    "counted settings": counted("ARG A@=$A@$A@\nFROM p:$A@\n"),
    "settings of settings": counted("ENV A@=${A1}${A1}\n"),
    "one run of many installs": counted("pip install p@==1 && \\\n", before="RUN "),
    "counted steps": counted("      - uses: a/b@v@ # v@.1\n", before="jobs:\n  a:\n    steps:\n"),
    "continued lines": repeated("a \\\n"),
    "nested JSON": nested('{"a":\n', "1", "}\n"),
    "nested lists": nested("[\n", "1", "]\n"),
    "nested tables": repeated("[a.a]\n"),
    "one dotted key": repeated("a.", before="[", after="b]\n"),
    "strings that aren't closed": repeated('"a\n'),
    "long strings that aren't closed": repeated('"""a\n'),
}
