"""Where code uses what release notes speak of."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from retrieval.assistant import Assistant
from retrieval.code_usage.code import CodeUsage, load_code
from retrieval.upgrades.usages import places_of

CODE = Path(__file__).parent / "data" / "code"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CodeUsage:
    folder = tmp_path_factory.mktemp("shop")
    for file in (CODE / "shop").rglob("*.txt"):
        path = folder / file.relative_to(CODE / "shop").with_suffix("")
        path.parent.mkdir(exist_ok=True)
        path.write_text(file.read_text("utf-8"))
    return load_code(folder)


@pytest.mark.parametrize(("symbols", "product", "places"), read_rows("retrieval-usages-in-python"))
def test_usages_in_python(shop: CodeUsage, symbols: str, product: str, places: str) -> None:
    found = shop.usages_of(symbols.split(), product=[product])
    assert [f"{usage.file}:{usage.line}" for usage in found] == places.split()


def used(folder: Path, name: str, text: str, symbols: list[str], product: str, note: str = "") -> list[int]:
    """The lines on which one file uses what a note is about."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    found = load_code(folder).usages_of(symbols, product=[product], places=places_of(note, symbols))
    return sorted(usage.line for usage in found)


@pytest.mark.parametrize(
    ("name", "code", "product", "symbol", "lines"), read_rows("retrieval-usages-in-other-languages", list)
)
def test_usages(tmp_path: Path, name: str, code: str, product: str, symbol: str, lines: list[int]) -> None:
    assert used(tmp_path, name, (CODE / f"{code}.txt").read_text("utf-8"), [symbol], product) == lines


@pytest.mark.parametrize(("text", "symbol", "lines"), read_rows("retrieval-usages-in-one-file", list))
def test_usages_in_one_file(tmp_path: Path, text: str, symbol: str, lines: list[int]) -> None:
    assert used(tmp_path, "code.py", text, [symbol], "NumPy") == lines


CALLS = (CODE / "calls.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("note", "symbols", "lines"),
    [
        pytest.param("The proxies argument is removed.", ["proxies"], [6], id="argument of no named callable"),
        pytest.param("Removed the option `app`.", ["app"], [11], id="option, in front of its name"),
        pytest.param("The `proxies` argument of `Proxy` is removed.", ["proxies", "Proxy"], [], id="another callable"),
        pytest.param("The app=None argument is refused.", ["app=None"], [], id="only with a value"),
    ],
)
def test_an_argument_is_found_in_calls_into_its_product(
    tmp_path: Path, note: str, symbols: list[str], lines: list[int]
) -> None:
    assert used(tmp_path, "code.py", CALLS, symbols, "httpx", note) == lines


@pytest.mark.parametrize(("note", "symbols", "lines"), read_rows("retrieval-an-import-is-no-use", list))
def test_to_import_a_module_is_no_use_of_what_is_in_it(
    tmp_path: Path, note: str, symbols: list[str], lines: list[int]
) -> None:
    code = "from tessera.tiles import lay, Grout\n"
    assert used(tmp_path, "code.py", code, symbols, "tessera", note) == lines


@pytest.mark.parametrize(
    ("symbol", "line"),
    [("~django.db.models.F", "from django.db.models import F"), ("F[str]", "from django.db import F"),
     ("django::F", "from django import F"), ("F_a#bar", "from django import F_a; F_a.bar"),
     ("@F_a", "from django import F_a"), ("F_a(x=1)", "from django import F_a; F_a(x=2)")],
)  # fmt: skip
def test_symbols_are_found_as_notes_write_them(tmp_path: Path, symbol: str, line: str) -> None:
    assert used(tmp_path, "code.py", line, [symbol], "Django") == ([] if symbol == "F[str]" else [1])


@given(st.text(max_size=60))
def test_any_text_may_be_asked_for(shop: CodeUsage, symbol: str) -> None:
    assert all(usage.symbol == symbol for usage in shop.usages_of([symbol], product=["NumPy"]))


@pytest.mark.parametrize(("product", "path", "is_its"), read_rows("retrieval-what-a-product-is-imported-as"))
def test_what_a_product_is_imported_as(tmp_path: Path, product: str, path: tuple[str, ...], is_its: bool) -> None:
    *module, name = path
    is_script = "/" in module[0]
    text = f'import {{ {name} }} from "{module[0]}"' if is_script else f"from {'.'.join(module)} import {name}"
    assert (
        bool(
            used(
                tmp_path,
                "a.ts" if is_script else "a.py",
                text,
                [name if is_script else f"{module[-1]}.{name}"],
                product,
            )
        )
        is is_its
    )


def test_an_upgrade_lists_what_the_code_uses(library: Callable[[str], Assistant], tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import widget\n\nwidget.spin(90)\nspinning = widget\n")
    upgrade = library("project").upgrade("widget", "1.9", "2.0", code=load_code(tmp_path))
    items = [item for release in upgrade.releases for item in release.items]
    assert [(usage.symbol, usage.file, usage.line) for item in items for usage in item.usages] == [
        ("widget.spin", "app.py", 3)
    ]


_HOSTILE = (
    '( { [a. a< - -- \' " ${ // /* # ` \\` \\\' """ \n. import{ from\ta\timport( use\ta::{ const{ a. :: = a= a:b {a:'
    " ({a:[ a(b= class\tA( def\tf( self.a=x. @ a() } ) 'a' \"a/b\"\n import\n a(){ {} x.\ny $a$ \\ from'a'"
).split(" ")
_BLANKS = (" ", "\n\t")


@pytest.mark.parametrize("ending", "ts rs rb py sh".split())
def test_hostile_code_takes_time_in_proportion_to_its_length(tmp_path: Path, ending: str) -> None:
    pieces = [f"{before}{piece}".replace("\t", " ") * 200 + "\n" for before in ("", "import ") for piece in _HOSTILE]
    blanks = [f"{word}{blank * 20_000}" for word in ("let", "import", "a.") for blank in _BLANKS]
    for text in (*(piece * (20_000 // len(piece)) for piece in pieces), *blanks):
        (tmp_path / f"a.{ending}").write_text(text)
        started = time.thread_time()
        load_code(tmp_path)
        # It takes at most a third of that; in proportion to the square it takes many seconds.
        assert time.thread_time() - started < 1.25, text[:20]
