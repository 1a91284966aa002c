"""Packaging: our names are ours alone, the wheel brings its data along, and asking imports no deep learning."""

import importlib
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
PACKAGES = ("corpus", "ingest", "retrieval", "ui")
READERS = ("acts", "asked_of_releases", "forms", "relative", "version_roles", "wanted")
DATA = (
    "corpus/acts.npz",
    "corpus/labels.npz",
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


@pytest.mark.parametrize("package", PACKAGES)
def test_a_top_level_name_has_one_owner(package: str) -> None:
    # An editable install is a path only: then no distribution at all lists the name.
    assert set(packages_distributions().get(package, ["relnotes"])) == {"relnotes"}
    assert Path(str(importlib.import_module(package).__file__)).parent == REPOSITORY / package


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
