"""Where code of other languages, scripts and configuration use what release notes speak of."""

import time
from pathlib import Path

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.code_usage.code import load_code, read_names
from retrieval.code_usage.code_names import read_code_names
from retrieval.code_usage.languages import LANGUAGES
from retrieval.code_usage.model import Origin

CODE = Path(__file__).parent / "data" / "code"


@pytest.mark.parametrize(
    ("name", "code", "product", "symbol", "lines"), read_rows("retrieval-usages-in-other-languages", list)
)
def test_usages(tmp_path: Path, name: str, code: str, product: str, symbol: str, lines: list[int]) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text((CODE / f"{code}.txt").read_text("utf-8"))
    found = load_code(tmp_path).usages_of([symbol], product=[product])
    assert [usage.line for usage in found] == lines


_HOSTILE = (
    '( { [a. a< - -- \' " ${ // /* # ` \\` \\\' """ \n. import{ from\ta\timport( use\ta::{ const{ a. :: = a= a:b {a:'
    " ({a:[ a(b= class\tA( def\tf( self.a=x. @ a() } ) 'a' \"a/b\"\n import\n a(){ {} x.\ny $a$ \\"
).split(" ")


@pytest.mark.parametrize("ending", ".ts .rs .rb .py .else".split())
@pytest.mark.parametrize("before", ["", "import "])
def test_hostile_code_takes_time_in_proportion_to_its_length(ending: str, before: str) -> None:
    for piece in _HOSTILE:
        line = f"{before}{piece}".replace("\t", " ") * 200 + "\n"
        started = time.thread_time()
        read_code_names(line * (20_000 // len(line)), f"a{ending}")
        # It takes at most a third of that; in proportion to the square it takes many seconds.
        assert time.thread_time() - started < 1.25, (piece, ending)


_BLANKS = ("\n", " ", "\n\t", "\f\n")


@pytest.mark.parametrize(
    ("ending", "size"), [("js", 190_000), *((ending, 20_000) for ending in "py go rs c rb sh".split())]
)
def test_no_word_of_a_language_before_line_ends_or_blanks_takes_long(ending: str, size: int) -> None:
    words = "let import const{ from use # a. (a= class `".split()
    for text in (f"{word}{blank * size}" for word in ("", *words) for blank in _BLANKS):
        started = time.thread_time()
        read_names(f"a.{ending}", text)
        assert time.thread_time() - started < 1.25, text[:10]


def test_a_chain_without_end_is_read_to_its_thirtieth_part() -> None:
    started = time.thread_time()
    names = read_code_names("a\n." * 100_000, "a.py")
    assert len(names.places) < 100
    assert time.thread_time() - started < 2.5


_WORDS = st.lists(
    st.sampled_from(
        "import from a . b ( ) { } < > ; \n as use :: class def x = ' \" require # \\ é \x00 -> --f A_B".split(" ")
    ),
    max_size=40,
).map(" ".join)


@examples(25)
@given(
    text=st.one_of(st.text(max_size=200), _WORDS), ending=st.sampled_from([*sorted(LANGUAGES), ".sh", ".toml", ".yml"])
)
def test_every_mention_stands_on_a_line_of_the_file(text: str, ending: str) -> None:
    names = read_names(f"a{ending}", text)
    assert names is not None
    assert all(1 <= line <= text.count("\n") + text.count("\r") + text.count("\f") + 1 for _, line in names.places)
    assert all(0 < mention.written <= len(mention.path) for mention, _ in names.places)


def test_what_is_named_by_as_is_no_surer_than_what_it_names() -> None:
    opened = "with shelf.open() as box:\n    box.paint()\n"
    for text, origin in ((opened, Origin.UNKNOWN), (f"import shelf\n{opened}", Origin.DERIVED)):
        *_, (mention, _) = read_code_names(text, "a.py").places
        assert (mention.path, mention.origin) == (("shelf", "open", "paint"), origin)
