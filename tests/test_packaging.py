"""Packaging: our names are ours alone, the wheel brings its data along, and asking imports no deep learning."""

import ast
import importlib
import re
import shlex
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
PACKAGES = ("corpus", "ingest", "retrieval", "ui")
READERS = ("acts", "asked_of_releases", "forms", "framing", "relative", "version_roles", "wanted")
DATA = (
    "corpus/acts.npz",
    "corpus/changes.npz",
    "retrieval/calibration.json",
    "retrieval/answers/list_ranker.json",
    "retrieval/search/item_ranker.json",
    *(f"retrieval/question/{reader}.npz" for reader in READERS),
    "ui/slack/manifest.yaml",
)


def data_files() -> list[str]:
    """Everything that is read at run time, relative to the repository."""
    web = (path for path in (REPOSITORY / "ui" / "web").rglob("*") if path.suffix in (".css", ".html", ".js"))
    found = (path for path in (*(REPOSITORY / "corpus" / "documents").rglob("*"), *web) if path.is_file())
    return [*DATA, *(path.relative_to(REPOSITORY).as_posix() for path in found)]


def modules_with_all() -> list[str]:
    """The modules of ours that define `__all__`."""
    names = []
    for package in PACKAGES:
        for path in sorted((REPOSITORY / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            targets = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                parts = path.relative_to(REPOSITORY).with_suffix("").parts
                names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_a_top_level_name_has_one_owner(package: str) -> None:
    # An editable install is a path only: then no distribution at all lists the name.
    assert set(packages_distributions().get(package, ["relnotes"])) == {"relnotes"}
    assert Path(str(importlib.import_module(package).__file__)).parent == REPOSITORY / package


def test_what_modules_offer_is_there() -> None:
    for module in modules_with_all():
        loaded = importlib.import_module(module)
        offered = loaded.__all__
        assert len(set(offered)) == len(offered), module
        assert [name for name in offered if not hasattr(loaded, name)] == [], module


def test_importing_loads_no_deep_learning_and_no_page() -> None:
    script = (
        "import sys, retrieval.assistant, ingest.pipeline, ui.cli; "
        "print(sorted({'torch', 'transformers', 'sentence_transformers', 'gradio', 'sklearn'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert ran.stdout.strip() == "[]"


@pytest.mark.slow
def test_the_wheel_holds_the_code_its_data_and_nothing_else(tmp_path: Path) -> None:
    # Where the environment of the tools isn't there, pip brings the build backend.
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", str(tmp_path), "."]
    if (backend := REPOSITORY / ".venv-tools" / "bin" / "hatchling").exists():
        wheel = [str(backend), "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(wheel, cwd=REPOSITORY, capture_output=True, text=True)
    if "No matching distribution found for hatchling" in built.stderr:
        pytest.skip("the build backend can't be fetched here")
    assert built.returncode == 0, built.stderr
    (file,) = tmp_path.glob("relnotes-*.whl")
    with zipfile.ZipFile(file) as archive:
        names = set(archive.namelist())
    assert sorted(set(data_files()) - names) == []
    modules = (path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py"))
    code = {path.relative_to(REPOSITORY).as_posix() for path in modules}
    assert "relnotes.py" in names
    assert code - names == {"ui/relnotes.py"}
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {*PACKAGES, "relnotes.py"}
    assert not [name for name in names if "__pycache__" in name]


ONLY_AT_FIRST = """\
import pytest
errors = [
    TimeoutError("Locator.click: Timeout 5000ms exceeded."),
    Exception("The current node timed out during startup."),
    TimeoutError("No answer came."),
]
@pytest.mark.parametrize("number", range(3))
def test_once(number):
    error, errors[number] = errors[number], None
    if error:
        raise error
"""


def test_what_is_tried_once_more_is_told_with_the_results(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(ONLY_AT_FIRST, encoding="utf-8")
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    again = shlex.split(" ".join(re.findall(r"--reruns \d+|--only-rerun '[^']+'", makefile)))
    where = ["-c", str(REPOSITORY / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    tests = [sys.executable, "-m", "pytest", *again, *where, str(tmp_path)]
    ran = subprocess.run(tests, capture_output=True, text=True)
    assert re.findall(r"(?m)^(RERUN|FAILED) \S+\[(\d)\]", ran.stdout) == [
        ("RERUN", "0"),
        ("RERUN", "1"),
        ("FAILED", "2"),
    ]


@pytest.mark.parametrize(
    ("measure", "code"),
    [
        ("lines", "x = 1\n" * 3),
        ("tokens", "x = [1, 2, 3, 4, 5]\n"),
        ("branchy", "def f(x):\n" + "    if x: pass\n" * 16),
        ("patterns", "re.compile('x')\n"),
        ("texts", "'s' * (n > 1)\n"),
    ],
)
def test_a_package_with_more_than_it_is_granted_fails_the_count(tmp_path: Path, measure: str, code: str) -> None:
    granted = {"lines": 99, "tokens": 99, "branchy": 0, "patterns": 0, "texts": 0} | {"lines": 2, "tokens": 9}
    granted |= {name: 99 for name in ("lines", "tokens") if name != measure}
    row = ", ".join(f"{name} = {most}" for name, most in granted.items())
    (tmp_path / "pyproject.toml").write_text(f"[tool.relnotes.size]\na = {{ {row} }}\n")
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "a" / "deep" / "code.py").write_text(code)
    count = [sys.executable, str(REPOSITORY / ".ci" / "size.py"), str(tmp_path)]
    ran = subprocess.run(count, capture_output=True, text=True)
    faults = [line.split()[1] for line in ran.stdout.splitlines() if "more than it is granted" in line]
    assert (ran.returncode, faults) == (1, [measure])
    (tmp_path / "a" / "deep" / "code.py").write_text("x = 1\n")
    assert subprocess.run(count, capture_output=True).returncode == 0


def test_what_a_package_is_granted_is_never_raised(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *author, *words], check=True, capture_output=True)

    def grant(lines: int) -> int:
        budget = tmp_path / "pyproject.toml"
        budget.write_text(f"[tool.relnotes.size]\na = {{ lines = {lines} }}\n")
        git("add", "pyproject.toml")
        git("commit", "--allow-empty", "-m", f"Grant {lines}")
        count = [sys.executable, str(REPOSITORY / ".ci" / "size.py"), str(tmp_path), "begun"]
        return subprocess.run(count, capture_output=True).returncode

    git("init")
    git("commit", "--allow-empty", "-m", "Begin")
    git("commit", "--allow-empty", "-m", "Bind")
    git("tag", "begun")
    assert [grant(lines) for lines in (5, 4, 4, 5, 3)] == [0, 0, 0, 1, 0]
