"""What a review can't look up is told with a reason: what moves without a version, and what isn't read."""

import pytest
from test_retrieval_reviews_bumps import changed

from retrieval.reviews.bumps import find_changes
from retrieval.reviews.diff import read_diff
from retrieval.reviews.unread import find_unread, find_unreadable

OLD, NEW = "1" * 40, "2" * 40
SUM, OTHER = "a" * 64, "b" * 64
GIT = "https://git.example/acme/gears"


def told(diff: str) -> list[str]:
    """Each name with its reason."""
    read = read_diff(diff)
    found = (*find_unreadable(read), *find_unread(read), *find_changes(read).moved)
    return [f"{unknown.name}: {unknown.reason}" for unknown in found]


def check(path: str, before: str, old: str, new: str, words: str) -> None:
    """Its first words, and the others; what has no words isn't told."""
    assert old in before
    diff = changed(path, before, before.replace(old, new))
    start, *others = words.split(" … ") if words else [""]
    found = told(diff)
    assert [one.startswith(start) and all(other in one for other in others) for one in found] == [True] * bool(words), (
        found
    )
    assert find_changes(read_diff(diff)).bumps == ()


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "words"),
    [
        (".github/workflows/a.yml", f"- uses: acme/setup@{OLD} # v4.1.0\n", OLD, NEW,
         "acme/setup: What is pinned changes, 111111111111… → 222222222222… … version beside it stays 4.1.0"),
        (".github/workflows/a.yml", "- uses: acme/setup@v4\n", "v4", f"{OLD} # v4", "acme/setup: … v4 → 111111111111…"),
        (".github/workflows/a.yml", "- uses: acme/setup@main\n", "main", "next", "acme/setup: … main → next"),
        (".github/workflows/a.yml", 'python-version: ["3.8", "3.9"]\n', '8", "3.9', '9", "3.10',
         "python: … 3.8 → 3.10"),
        ("Dockerfile", f"FROM base@sha256:{SUM}\n", SUM, OTHER,
         "base: … sha256:aaaaaaaaaaaa… → sha256:bbbb … no version"),
        ("Dockerfile", f"ARG B=base:20@sha256:{SUM}\nFROM $B\n", SUM, OTHER, "base: … (Dockerfile:1)"),
        ("Dockerfile", f"FROM scratch\nCOPY --from=acme/uv@sha256:{SUM} /uv /\n", SUM, OTHER, "acme/uv: "),
        ("Dockerfile", "FROM base:3-slim\n", "slim", "alpine", "base: … 3-slim → 3-alpine"),
        (".pre-commit-config.yaml", f"- repo: {GIT}\n  rev: {OLD}\n", OLD, NEW, "gears: "),
        ("requirements.txt", "gears>=4.2,<5\n", "<5", "<6", "gears: … <5 → <6 … stays 4.2"),
        ("requirements.txt", "gears>=4.2,<5\n", "gears>=4.2,<5", "gears <5, >=4.2.0  # why", ""),
        ("requirements.txt", f"git+{GIT}@{OLD}\n", OLD, NEW, "acme/gears: "),
        ("requirements.txt", f"gears==1 \\\n    --hash=sha256:{SUM}\ncog==1\n", SUM, OTHER, "gears: … aaaaaaaaaaaa…"),
        ("pyproject.toml", f'[tool.poetry.dependencies]\ngears = {{git = "{GIT}", tag = "v1"}}\n', "acme", "evil",
         "gears: … evil/gears … stays 1"),
        ("pyproject.toml", f'[project]\ndependencies = ["gears @ git+{GIT}@{OLD}"]\n', OLD, NEW, "gears: "),
        ("Cargo.toml", f'[dependencies]\ngears = {{ git = "{GIT}", rev = "{OLD}" }}\n', OLD, NEW, "gears: "),
        ("Cargo.toml", f'[patch.crates-io]\ngears = {{ git = "{GIT}", branch = "x" }}\n', '"x"', '"y"',
         "gears: … x → y"),
        ("package.json", f'{{"dependencies": {{\n"gears": "github:acme/gears#{OLD}"\n}}}}\n', OLD, NEW, "gears: "),
        ("package.json", '{"dependencies": {\n"gears": "latest"\n}}\n', "latest", "next", "gears: … latest → next"),
        ("composer.json", f'{{"require": {{\n"acme/gears": "dev-main#{OLD}"\n}}}}\n', OLD, NEW, "acme/gears: "),
        ("Gemfile", 'gem "gears", "~> 1", require: false\n', "false", "true", ""),
        ("pom.xml", "<dependency>\n<artifactId>gears</artifactId>\n<version>[1,2)</version>\n</dependency>\n",
         "2)", "3)", "gears: … [1,2) → [1,3)"),
        (".nvmrc", "lts/hydrogen\n", "hydrogen", "iron", "node: … lts/hydrogen → lts/iron"),
        (".tool-versions", "java temurin-17\n", "17", "21", "java: "),
    ],
)  # fmt: skip
def test_what_is_pinned_moves_without_a_version(path: str, before: str, old: str, new: str, words: str) -> None:
    check(path, before, old, new, words)


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("Cargo.lock",
         f'[[package]]\nname = "gears"\nversion = "1.0"\nsource = "registry+https://x"\nchecksum = "{SUM}"\n'),
        ("Cargo.lock", f'[[package]]\nname = "gears"\nversion = "1.0"\nsource = "git+{GIT}#{SUM[:40]}"\n'),
        ("uv.lock", f'[[package]]\nname = "gears"\nversion = "1.0"\nwheels = [\n    {{ hash = "sha256:{SUM}" }},\n]\n'),
        ("package-lock.json", '{"packages": {\n"node_modules/gears": {\n"version": "1.0",\n'
         f'"integrity": "sha512-{SUM}"\n}},\n"node_modules/cog": {{\n"version": "1.0"\n}}\n}}}}\n'),
        ("yarn.lock", f'gears@^1:\n  version "1.0"\n  resolved "https://x/gears.tgz#{SUM[:40]}"\n'),
        ("pnpm-lock.yaml", f"packages:\n\n  gears@1.0:\n    resolution: {{integrity: sha512-{SUM}}}\n"),
        ("Pipfile.lock", '{"default": {\n"cog": {\n"version": "==2.0"\n},\n"gears": {\n"hashes": [\n'
         f'"sha256:{SUM}"\n],\n"version": "==1.0"\n}}\n}}}}\n'),
        ("Gemfile.lock", f"GIT\n  remote: {GIT}\n  revision: {SUM[:40]}\n  specs:\n    gears (1.0)\n"),
        ("Gemfile.lock", f"CHECKSUMS\n  gears (1.0) sha256={SUM}\n"),
        ("packages.lock.json",
         f'{{"dependencies": {{\n"gears": {{\n"resolved": "1.0",\n"contentHash": "{SUM}=="\n}}\n}}}}\n'),
    ],
)  # fmt: skip
def test_a_lock_whose_digests_change_where_no_version_does(path: str, before: str) -> None:
    check(path, before, "a" * 40, "b" * 40, f"{path}: The digests of gears 1.0 change (line ")


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "words"),
    [
        ("vendor/gears", f"Subproject commit {OLD}\n", OLD, NEW, "vendor/gears: A submodule moves, 1111"),
        ("go.sum", f"x.example/gears v1.0.0 h1:{SUM}=\n", SUM, OTHER, "go.sum: Line 1 … digest"),
        ("kustomization.yaml", f"- name: base\n  digest: sha256:{SUM}\n", SUM, OTHER,
         "kustomization.yaml: Line 2 … digest"),
        (".gitlab-ci.yml", "include:\n  - project: a/b\n    ref: v1.2\n", "v1.2", "v1.3",
         ".gitlab-ci.yml: Line 3 changes v1.2"),
        (".github/workflows/a.yml", "with:\n      version: v1.5\n", "1.5", "1.6", ".github/workflows/a.yml: Line 2"),
        ("Dockerfile", "FROM base:1\nADD https://x.example/tool/v1.2.3/tool /\n", "1.2.3", "1.2.4",
         "Dockerfile: Line 2"),
        ("a.gradle.kts", 'val gson = "2.8.9"\nversion = "1.0.0"\n', "8.9", "9.0", "a.gradle.kts: Line 1"),
        ("a.csproj", "    <CogVersion>4.1</CogVersion>\n", "4.1", "4.2", "a.csproj: Line 1"),
        ("a.csproj", "    <AssemblyVersion>4.1</AssemblyVersion>\n", "4.1", "4.2", ""),
        ("build.gradle", "version = '1.0.0'\n", "1.0", "1.1", ""),
        ("zlib.wrap", "directory = zlib-1.2.13\n", "1.2.13", "1.3.0", "zlib.wrap: Line 1 changes 1.2.13 to 1.3.0"),
        ("build.sbt", '"a" %% "gears" % "1.0"\n', "1.0", "1.2", "build.sbt: Line 1 changes 1.0 to 1.2"),
        ("ios/Package.swift", '.package(url: "x", from: "1.0.0")\n', "1.0", "1.1", "ios/Package.swift: Line 1"),
        ("charts/web/Chart.yaml", "dependencies:\n  - name: gears\n    version: ~1.0\n", "1.0", "1.1",
         "charts/web/Chart.yaml: Line 3"),
        ("global.json", '{\n  "sdk": {\n    "version": "8.0"\n  }\n}\n', "8.0", "9.0", "global.json: "),
        ("mix.exs", '{:gears, "~> 1.0"}\n', "1.0", "1.1", "mix.exs: Line 1 changes 1.0 to 1.1"),
        ("mix.exs", '  @version "1.0.0"\n', "1.0", "1.1", ""),
        ("bun.lock", '"gears": ["gears@1.0"]\n', "1.0", "1.1", "bun.lock: Line 1"),
        ("main.tf", 'version = "~> 5.0"\n', "5.0", "5.1", "main.tf: Line 1"),
        ("main.tf", "instance_count = 3\n", "3", "4", ""),
        ("a.toml", 'rate = 0.5\n', "0.5", "0.6", ""),
        ("a.json", '{\n"rate": "0.5"\n}\n', "0.5", "0.6", ""),
        ("manifest.json", '{\n  "version": "1.0.0"\n}\n', "1.0.0", "1.1.0", ""),
        ("VERSION", "1.0.0\n", "1.0.0", "1.1.0", ""),
        ("config.yml", "port: 8080\nrate: 0.5\n", "8080", "8081", ""),
        ("app.py", 'VERSION = "1.0.0"\n', "1.0.0", "1.1.0", ""),
        ("docs/install.md", "curl x/v1.2.3/tool\n", "1.2.3", "1.2.4", ""),
        ("requirements.txt", "cog==1\n", "cog==1\n", "cog==1\ngears\n",
         "gears: Added (requirements.txt:2), and no version"),
    ],
)  # fmt: skip
def test_what_moves_where_no_dependency_is_read(path: str, before: str, old: str, new: str, words: str) -> None:
    check(path, before, old, new, words)


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("diff --git a/bun.lockb b/bun.lockb\nBinary files a/bun.lockb and b/bun.lockb differ\n",
         "bun.lockb: A package or a lock is replaced"),
        ("Binary files a/lib/gears.jar and b/lib/gears.jar differ\n", "lib/gears.jar: A package or a lock is replaced"),
        ("Binary files a/gears.png and b/gears.png differ\n", ""),
        ("--- a/gears.jar\n+++ b/gears.jar\n@@ -1 +1 @@\n-a\n+b\n", ""),
        ("diff --git a/r.bak b/requirements.txt\nrename from r.bak\nrename to requirements.txt\n",
         "requirements.txt: becomes a dependency file"),
        ("diff --git a/package.json b/web/package.json\nrename from package.json\nrename to web/package.json\n", ""),
        (f"Submodule vendor/gears {OLD[:7]}..{NEW[:7]}:\n  > Mend it\n",
         "vendor/gears: A submodule moves, 1111111… → 2222222…"),
        (f"Submodule gears {'0' * 7}...{NEW[:7]} (new submodule)\n", "gears: A submodule moves, 0000000… → 2222222…"),
        ("--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n", "x: line 3 of the diff counts other lines"),
    ],
)  # fmt: skip
def test_what_a_diff_does_not_show(diff: str, words: str) -> None:
    found = told(diff)
    assert [one.startswith(words) for one in found] == [True] * bool(words), found
