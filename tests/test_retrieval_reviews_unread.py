"""What a review can't look up is told: each changed line of a dependency file that no bump explains."""

import pytest
from test_retrieval_reviews_bumps import changed

from retrieval.reviews.bumps import find_bumps, read_sides
from retrieval.reviews.diff import read_diff
from retrieval.reviews.unread import find_hidden, find_unexplained

OLD, NEW = "1" * 40, "2" * 40
SUM, OTHER = "a" * 64, "b" * 64
GIT = "https://git.example/acme/gears"


def told(diff: str) -> list[str]:
    """Each name with its reason."""
    read = read_diff(diff)
    found = (*find_hidden(read), *find_unexplained(read, files := read_sides(read), find_bumps(files)))
    return [f"{unknown.name}: {unknown.reason}" for unknown in found]


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "line"),
    [
        (".github/workflows/a.yml", f"- uses: acme/setup@{OLD} # v4.1.0\n", OLD, NEW, 1),
        (".github/workflows/a.yml", "- uses: acme/setup@v4\n", "v4", f"{OLD} # v4", 1),
        (".github/workflows/a.yml", "- uses: acme/setup@main\n", "main", "next", 1),
        (".github/workflows/a.yml", 'python-version: ["3.8", "3.9"]\n', '8", "3.9', '9", "3.10', 1),
        (".github/workflows/a.yml", "with:\n      version: v1.5\n", "1.5", "1.6", 2),
        ("Dockerfile", f"FROM base@sha256:{SUM}\n", SUM, OTHER, 1),
        ("Dockerfile", f"FROM scratch\nCOPY --from=acme/uv@sha256:{SUM} /uv /\n", SUM, OTHER, 2),
        ("Dockerfile", "FROM base:3-slim\n", "slim", "alpine", 1),
        ("Dockerfile", "FROM base:1\nADD https://x.example/tool/v1.2.3/tool /\n", "1.2.3", "1.2.4", 2),
        ("config.yml", "port: 8080\nrate: 0.5\n", "8080", "8081", 0),
        ("requirements.txt", "gears>=4.2,<5\n", "<5", "<6", 1),
        ("requirements.txt", "gears>=4.2,<5\n", "gears>=4.2,<5", "gears <5, >=4.2.0  # why", 1),
        ("requirements.txt", "gears == 4.2\n", "gears == 4.2", "gears==4.2", 0),
        ("requirements.txt", "# one\na==1\n", "# one", "# two", 0),
        ("requirements.txt", f"git+{GIT}@{OLD}\n", OLD, NEW, 1),
        ("requirements.txt", f"gears==1 \\\n    --hash=sha256:{SUM}\ncog==1\n", SUM, OTHER, 2),
        ("requirements.txt", "cog==1\n", "cog==1\n", "cog==1\ngears\n", 2),
        ("requirements.txt", "cog==1\ngears\n", "gears\n", "", 2),
        ("requirements.txt", "cog==1\nb\n", "b", "b==", 2),
        ("pyproject.toml", f'[tool.poetry.dependencies]\ngears = {{git = "{GIT}", tag = "v1"}}\n', "acme", "evil", 2),
        ("pyproject.toml", '[project]\nversion = "1.0.0"\n', "1.0.0", "1.1.0", 0),
        ("Cargo.toml", f'[patch.crates-io]\ngears = {{ git = "{GIT}", branch = "x" }}\n', '"x"', '"y"', 2),
        ("package.json", '{"dependencies": {\n"gears": "latest"\n}}\n', "latest", "next", 2),
        ("pom.xml", "<dependency>\n<artifactId>gears</artifactId>\n<version>[1,2)</version>\n</dependency>\n",
         "2)", "3)", 3),
        ("build.gradle.kts", 'val gson = "2.8.9"\nversion = "1.0.0"\n', "8.9", "9.0", 1),
        ("app.py", 'VERSION = "1.0.0"\n', "1.0.0", "1.1.0", 0),
        ("VERSION", "1.0.0\n", "1.0.0", "1.1.0", 0),
    ],
)  # fmt: skip
def test_a_changed_line_that_no_bump_explains_is_named(path: str, before: str, old: str, new: str, line: int) -> None:
    assert old in before
    diff = changed(path, before, before.replace(old, new))
    start = f"{path}: not looked up, as no bump explains it: line {line}"
    assert [one.split(" (")[0].split(", before")[0] for one in told(diff)] == [start] * bool(line)
    assert find_bumps(read_sides(read_diff(diff))) == ()


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("Cargo.lock",
         f'[[package]]\nname = "gears"\nversion = "1.0"\nsource = "registry+https://x"\nchecksum = "{SUM}"\n'),
        ("uv.lock", f'[[package]]\nname = "gears"\nversion = "1.0"\nwheels = [\n    {{ hash = "sha256:{SUM}" }},\n]\n'),
        ("package-lock.json", '{"packages": {\n"node_modules/gears": {\n"version": "1.0",\n'
         f'"integrity": "sha512-{SUM}"\n}},\n"node_modules/cog": {{\n"version": "1.0"\n}}\n}}}}\n'),
        ("yarn.lock", f'gears@^1:\n  version "1.0"\n  resolved "https://x/gears.tgz#{SUM[:40]}"\n'),
        ("Gemfile.lock", f"CHECKSUMS\n  gears (1.0) sha256={SUM}\n"),
    ],
)  # fmt: skip
def test_a_digest_of_a_lock_is_explained_by_its_own_packages_bump_alone(path: str, before: str) -> None:
    moved = before.replace("a" * 40, "b" * 40)
    assert [one.split(" (")[0] for one in told(changed(path, before, moved))] != []
    # Beside another package's bump it isn't; with its own it is.
    assert told(changed(path, before, moved.replace("1.0", "1.1"))) == []


def test_what_a_bump_explains_and_what_only_moves_is_not_told() -> None:
    lock = '[[package]]\nname = "cog"\nversion = "1.0"\n'
    added = f'{lock}\n[[package]]\nname = "gears"\nversion = "1.0"\nsource = "x"\nchecksum = "{SUM}"\n'

    assert told(changed("Cargo.lock", lock, added)) == []
    assert told(changed("requirements.txt", "a\nb\n", "b\na\n")) == []


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("Binary files a/uv.lock and b/uv.lock differ\n", "uv.lock: compared as binary"),
        ("Binary files a/gears.png and b/gears.png differ\n", ""),
        ("diff --git a/package.json b/web/package.json\nrename from package.json\nrename to web/package.json\n", ""),
    ],
)  # fmt: skip
def test_what_a_diff_does_not_show(diff: str, words: str) -> None:
    found = told(diff)
    assert found[0].startswith(words) if words else not found, found
