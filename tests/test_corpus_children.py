"""Processes that relnotes starts: they run and read nothing of the working directory, and get no secret."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from case_files import read_rows
from waiting import until

from corpus.children import Forker, Worker, as_a_child, child_environment, run_child, start_child
from corpus.git import run_git
from ingest.sources.connectors.registry_clients import read_pip_settings, run_client

REPOSITORY = Path(__file__).parents[1]
SECRETS = {
    name: f"hush-{name}"
    for name in """RELNOTES_TOKEN RELNOTES_LLM_API_KEY RELNOTES_MILVUS_TOKEN SLACK_BOT_TOKEN
    GITHUB_TOKEN SLACK_APP_TOKEN SLACK_SIGNING_SECRET HF_TOKEN OPENAI_API_KEY AWS_SECRET_ACCESS_KEY NPM_TOKEN
    DATABASE_URL""".split()
}
MODULES = "pip json multiprocessing pickle socket runpy pkgutil ast typer corpus ui sitecustomize".split()


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory full of traps; nothing may have stepped into one."""
    folder, sprung = tmp_path / "hostile", tmp_path / "sprung"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(sprung)!r}, 'a').write('{name}.py ')\n")
    for name in ("git", "npm", "pip", "python"):
        (folder / name).write_text(f"#!/bin/sh\necho {name} >> '{sprung}'\n")
        (folder / name).chmod(0o755)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}:")
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    yield folder
    assert not sprung.exists(), sprung.read_text()


def surroundings(process: int) -> tuple[Path, dict[str, str]]:
    """The working directory and the environment of another process."""
    told = Path(f"/proc/{process}/environ")
    # A program that has just been started has none yet.
    until(told.read_text)
    entries = told.read_text().rstrip("\0").split("\0")
    return Path(f"/proc/{process}/cwd").resolve(), dict(entry.split("=", 1) for entry in entries)


def assert_tells_no_secret(environment: Mapping[str, str]) -> None:
    assert [name for name, value in environment.items() if "hush" in value] == []


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc here")


# --- one function starts them all


_STARTING_MODULES = {"subprocess", "multiprocessing", "_posixsubprocess", "pty"}
_STARTING_FUNCTIONS = re.compile(
    r"(?:os|posix)\.(?:fork\w*|exec[lv]\w*|spawn\w+|posix_spawn\w*|system|popen|startfile)|ray\.init"
    r"|asyncio\.create_subprocess_\w+|.*\.(?:subprocess_exec|subprocess_shell|ProcessPoolExecutor)"
)
_STARTS_NONE = {"multiprocessing.pool.ThreadPool"}


def starts_of_processes(file: Path) -> Iterator[str]:
    """What a module names that can start a process."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name.split(".")[0] in _STARTING_MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                for name in (f"{module}.{alias.name}" for alias in names):
                    starts = module.split(".")[0] in _STARTING_MODULES or _STARTING_FUNCTIONS.fullmatch(name)
                    if starts and name not in _STARTS_NONE:
                        yield name
            case ast.Attribute() if _STARTING_FUNCTIONS.fullmatch(ast.unparse(node)):
                yield ast.unparse(node)


def test_one_function_starts_every_process() -> None:
    wheel = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    files = [file for package in wheel["packages"] for file in (REPOSITORY / package).rglob("*.py")]
    found = {(str(file.relative_to(REPOSITORY)), name) for file in files for name in starts_of_processes(file)}
    assert found == {
        ("corpus/children.py", "os.fork"),  # in `Worker`: no other program
        ("corpus/children.py", "subprocess"),
        ("ingest/cluster.py", "ray.init"),  # in `as_a_child`
    }
    tree = ast.parse((REPOSITORY / "corpus/children.py").read_text())
    calls = [
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("subprocess.")
    ]
    assert calls == ["start_child"]


@pytest.mark.parametrize("code", read_rows("corpus-the-list-sees"))
def test_the_list_sees(code: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(code)
    assert len([*starts_of_processes(tmp_path / "module.py")]) == 1


# --- a fork that is ended


def hang() -> None:
    """Keep the interpreter, so that no signal's handler and no thread of Python gets a turn."""
    re.match(r"(?:a+)+$", "a" * 60 + "b")


@pytest.fixture(params=[False, True], ids=["of this process", "of a forker"])
def forker(request: pytest.FixtureRequest) -> Iterator[Forker | None]:
    made = Forker() if request.param else None
    yield made
    if made:
        made.close()


@pytest.mark.parametrize("limits", [(0.3, 0.0), (60.0, 0.3)], ids=["by the clock", "of processor time"])
def test_a_call_that_takes_too_long_is_ended_and_the_next_one_answered(
    limits: tuple[float, float], forker: Forker | None
) -> None:
    seconds, processor_s = limits
    with Worker(forker) as worker:
        with pytest.raises(TimeoutError):
            worker.call(hang, seconds=seconds, processor_s=processor_s)
        assert worker.call(sum, (1, 2), seconds=5)[0] == 3


def test_a_call_raises_what_its_function_does_and_says_where(forker: Forker | None) -> None:
    with Worker(forker) as worker:
        process = worker.call(os.getpid, seconds=5)
        with pytest.raises(ValueError, match="invalid literal") as raised:
            worker.call(int, "x", seconds=5)
        with pytest.raises(ChildProcessError, match="ended by itself \\(3\\)"):
            worker.call(os._exit, 3, seconds=5)
        with pytest.raises(TypeError, match="pickle"):
            worker.call(open, os.devnull, seconds=5)
        assert worker.call(os.getpid, seconds=5) != process
    assert "in _apply" in raised.value.__notes__[0]


@needs_proc
def test_a_fork_keeps_nothing_open_and_ends_with_its_parent() -> None:
    with Path(os.devnull).open() as opened, Worker() as worker:
        names, _ = worker.call(os.listdir, "/proc/self/fd", seconds=5)
        assert str(opened.fileno()) not in names
        process, _ = worker.call(os.getpid, seconds=5)
        assert worker._ends is not None
        worker._ends[1].close()
        # Waits for the end without taking the status.
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        assert worker.close() == 0


# --- what a child gets


def test_a_child_gets_the_listed_variables_and_no_relative_path() -> None:
    common = {
        "LC_ALL": "C",
        "https_proxy": "http://p",
        "XDG_CONFIG_HOME": "/c",
        "OMP_NUM_THREADS": "1",
    }
    loads = {"PYTHONPATH": ".", "LD_PRELOAD": "x.so", "GIT_SSH": "x", "NODE_OPTIONS": "-r x", "BASH_ENV": "x"}
    given = {"PATH": "/bin:.::tools", "PIP_CERT": "ca.pem", **common, **loads, **SECRETS}
    common |= {"PATH": "/bin", "PYTHONSAFEPATH": "1"}
    assert child_environment(given) == common
    assert child_environment(given, keeps=["npm_*", "GIT_*"]) == common | {
        "NPM_TOKEN": SECRETS["NPM_TOKEN"],
        "GIT_SSH": "x",
    }


@needs_proc
def test_python_imports_from_where_we_do_but_for_the_working_directory(hostile: Path) -> None:
    program = "import json, pickle, corpus, sys; print(json.__file__, pickle.__file__, corpus.__file__)"
    for path in ("", f":{hostile.name}:.", str(REPOSITORY)):
        ran = run_child((sys.executable, "-c", program), environment={"PYTHONPATH": path}, seconds=60)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert str(hostile) not in ran.stdout.decode()


@needs_proc
def test_a_child_runs_elsewhere_and_without_secrets(hostile: Path) -> None:
    child = start_child(("sleep", "60"), environment=os.environ)
    try:
        folder, environment = surroundings(child.pid)
    finally:
        child.kill()
        child.wait()
    assert folder == Path("/")
    assert_tells_no_secret(environment)
    assert child.returncode


def test_a_child_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError, match=r"sleep took more than 0\.1 s"):
        run_child(("sleep", "60"), environment=os.environ, seconds=0.1)
    with pytest.raises(FileNotFoundError):
        run_child(("no-such-program",), environment=os.environ, seconds=1)


def test_a_library_that_starts_processes_does_so_elsewhere_and_without_secrets(hostile: Path) -> None:
    before = dict(os.environ)
    with as_a_child():
        assert Path.cwd() == Path("/")
        assert_tells_no_secret(os.environ)
    assert Path.cwd() == hostile
    assert {name: os.environ[name] for name in before} == before


# --- who starts some


@pytest.mark.slow
def test_pip_is_asked_without_the_pip_of_the_working_directory(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:1/mine/\n")
    settings = read_pip_settings({**os.environ, "PIP_CONFIG_FILE": str(tmp_path / "pip.conf")})
    assert [index.url for index in settings.indexes] == ["http://127.0.0.1:1/mine/"]


def test_a_client_of_a_registry_is_given_no_secret(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "teller").write_text("#!/bin/sh\npwd\nenv\n")
    (tmp_path / "tools" / "teller").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}/tools:{os.environ['PATH']}"}
    told = run_client(("teller",), environment=environment, keeps=("PIP_*",), install="").splitlines()
    assert told[0] == "/"
    assert "hush" not in "".join(told)


@pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")
def test_git_is_the_one_that_is_installed(hostile: Path) -> None:
    assert run_git(["--version"], Path(), seconds=60).startswith(b"git version")
    subprocess.run([shutil.which("git", path="/usr/bin:/usr/local/bin") or "git", "init", "--quiet"], check=True)
    assert Path(run_git(["rev-parse", "--show-toplevel"], Path(), seconds=60).decode().strip()) == hostile


@pytest.mark.slow
@pytest.mark.parametrize("command", [("relnotes",), (sys.executable, "-P", "-m", "relnotes")], ids=["script", "module"])
def test_the_command_runs_nothing_of_the_working_directory(
    command: tuple[str, ...], hostile: Path, small_index: Path
) -> None:
    program = Path(sys.executable).parent / command[0]
    if not program.exists():
        pytest.skip("the command isn't installed here")
    asked = ("ask", "Is widget.spin deprecated?", "--index", str(small_index))
    ran = subprocess.run([program, *command[1:], *asked], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
def test_as_a_module_the_command_takes_what_it_imports_later_from_elsewhere(hostile: Path) -> None:
    for name in ("runpy", "pkgutil", "sitecustomize"):  # which Python itself imports before it comes to us
        (hostile / f"{name}.py").unlink()
    ran = subprocess.run([sys.executable, "-m", "relnotes", "--version"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
