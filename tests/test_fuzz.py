"""Every way in, tried with hostile bytes: made of seeds and signs, repeated, and all that once broke a promise.

`make test-explore` tries others, and ten times as many; what it finds becomes a file in `tests/data/fuzz`.
"""

import gzip
import operator
import signal
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import FrameType

import pytest
from fuzz_targets import Way, open_server, open_targets
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

Targets = dict[str, dict[str, Way]]
EXAMPLES = Path(__file__).parent / "data" / "fuzz"
"""Inputs that once broke a promise, in a folder for each way in."""
KINDS = ("documents", "asked documents", "answers of others", "packages", "questions", "requests")
MAX_BYTES = 16_384
MAX_S = 5.0
"""Of processor time for an input of some ten KiB; a PDF takes longest."""
EDGES = (
    *(sign.encode() for sign in "\ufeff\u0301\u0085\u2028\u202e\u00a0\u0660\U0001d7d8İß\0\t\r\v\f\x1c%\\"),
    *(
        b"\xff",
        b"\xfe\xff",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\r\n",
        b"\x1b[31m",
        b"{}",
        b"1" * 30,
        b"-1",
        b"1e309",
    ),
)
"""Bytes that decoders, line splitters, number readers and templates trip over."""
NESTED = (
    ("<div>", "</div>"), ("<ul><li>", "</ul>"), ("[", "]"), ("{", "}"), ("(", ")"), ("[", "](a)"), ("*", "*"), ("*_", "_*"),
    ('{"a":', "}"), ('[{"elements": ', "}]"), ("\x1f\x8b", ""), ("q ", "Q "), ("- ", ""), (" \n", ""), ("\r", ""), ("İ", ""),
    ("1-", ""), ("1.", ""), ("a.b ", ""), ("`", ""), ("![", ""), ("<!--", ""), ("http://a/", ""), ("e\u0301", ""), ("\\\n", ""),
    ("Aa is gone. ", ""), ("../", ""), ("**a ", ""), ("&a;", ""), ('"a\n', ""), (">=1 ", ""), ("7", ""), ("\x00", ""),
)  # fmt: skip
COUNTED = (
    "## 1.@.0 (2024-01-02)\n\n- entry @ of `name_@`\n\n", "[a@]: http://b/@\n[a@] ", "[^@]: x\n\ny[^@]\n\n", ".. |a@| replace:: b\n|a@| ",
    ".. _t@:\n\n`t@`_\n\n", "[[a@]]\n== a@\n\n<<a@>>\n\n", "gizmo (1.@-3) unstable; urgency=low\n\n  * x\n\n", "<h2>Gizmo 1.@</h2><p>x",
    "<item><title>1.@</title><link>http://a/@</link></item>", 'a@="b" ', "p@==1.@ \\\n    --hash=sha256:00\n", "FROM a:${V@} AS s@\nENV A@=${A1}\n",
    "k@: v\n", "diff --git a/a@ b/a@\n", "--- a/r@.py\n+++ b/r@.py\n@@ -1 +1 @@\n-import a@\n+import b@\n", '{"id": @, "method": "ping"}\n', "Disallow: /@*a*b\n",
)  # fmt: skip
"""Patterns with `@` for a number that counts up."""
pytestmark = pytest.mark.timeout(600)


class HangError(BaseException):
    """Not an `Exception`: no handler of the product takes it for one of its own."""


@contextmanager
def ended_within(seconds: float, name: str = "") -> Iterator[None]:
    """End what takes longer than so many seconds of processor time."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError(f"{name}: more than {seconds} s of processor time")

    usual = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    with open_server() as server:
        yield open_targets(server, tmp_path_factory.mktemp("fuzz"))


def hostile(way: Way) -> st.SearchStrategy[bytes]:
    """Pieces of a way's grammar and of its seeds, repeated until they nest deep, alone or put into a seed."""
    lines = [line for seed in way.seeds for line in seed.splitlines(keepends=True)[:50]]
    signs = [sign.encode("utf-8", "surrogatepass") for sign in way.signs]
    pieces = st.sampled_from((*EDGES, *signs, *signs, *lines)) | st.binary(max_size=4)
    runs = st.builds(operator.mul, pieces, st.sampled_from((1, 1, 1, 1, 3, 50, 1_000)))
    cuts = st.tuples(st.floats(0, 1), st.sampled_from((0, 0, 1, 32, 512)), runs)

    def put_into(seed: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
        for share, lost, piece in changes:
            at = int(share * len(seed))
            seed = seed[:at] + piece + seed[at + lost :]
        return seed

    of_seeds = st.builds(put_into, st.sampled_from(way.seeds), st.lists(cuts, min_size=1, max_size=8))
    return (of_seeds | of_seeds | st.lists(runs, max_size=40).map(b"".join)).map(lambda made: made[:MAX_BYTES])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@examples(12)
@given(data=st.data())
def test_hostile_bytes_break_nothing_and_end(targets: Targets, kind: str, data: st.DataObject) -> None:
    way = targets[kind][data.draw(st.sampled_from(sorted(targets[kind])))]
    content = data.draw(hostile(way))
    with ended_within(4 * MAX_S):
        way.check(content)


def test_every_way_in_keeps_its_promises_on_its_own_seeds(targets: Targets) -> None:
    assert tuple(targets) == KINDS
    for ways in targets.values():
        for way in ways.values():
            for content in way.seeds:
                way.check(content)


def test_what_once_broke_a_promise_no_longer_does(targets: Targets) -> None:
    by_name = {name: way for ways in targets.values() for name, way in ways.items()}
    tried = [(by_name[path.parent.name], path) for path in sorted(EXAMPLES.glob("*/*"))]
    assert tried
    for way, path in tried:
        with ended_within(MAX_S):
            way.check(path.read_bytes())


def zip_of(*files: bytes) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(files):
            archive.writestr(f"gizmo/n{number}.md", content)
    return held.getvalue()


def families(size: int) -> Iterator[bytes]:
    """Inputs of about `size` bytes that nest, repeat, count through a pattern, or unfold to far more."""
    for opening, closing in NESTED:
        count = max(1, size // len(opening + closing))
        yield (opening * count + "x" + closing * count).encode()
    for pattern in COUNTED:
        count = max(1, size // (len(pattern) + 4))
        yield "".join(pattern.replace("@", str(number)) for number in range(count)).encode()
    laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    yield f'<!DOCTYPE r [<!ENTITY a0 "x">{laughs}]><rss><channel><item><title>&a12;</title></item></channel></rss>'.encode()
    yield b"---\na0: &a0 [x, x]\n" + b"".join(
        b"a%d: &a%d [%bx]\n" % (n + 1, n + 1, b"*a%d, " % n * 9) for n in range(9)
    )
    yield b"".join(b" " * n + b"a:\n" for n in range(int((2 * size) ** 0.5)))
    yield from (gzip.compress(bytes(size * 200)), gzip.compress(gzip.compress(bytes(size * 200))))
    yield from (zip_of(*[bytes(size * 50)] * 4), zip_of(*[b"# 1.2\n"] * (size // 120)))


def test_the_hostile_families_of_every_target_break_nothing_and_end(targets: Targets) -> None:
    for kind in (kind for kind in KINDS if kind not in ("asked documents", "questions")):
        for name, way in targets[kind].items():
            for content in families(100):
                with ended_within(MAX_S, name):
                    way.check(content)


@pytest.mark.parametrize(
    "piece", ["İ", "1-", "((", "`a` ", ">=1 ", "\n- ", "http://a/", "it was removed and ", "zwqxv "]
)
def test_a_question_or_claim_of_one_piece_ends(targets: Targets, piece: str) -> None:
    for name in ("ask", "cite"):
        with ended_within(MAX_S, name):
            targets["questions"][name].check((piece * 4_000)[:4_000].encode())


def test_what_hangs_is_interrupted() -> None:
    with pytest.raises(HangError), ended_within(0.2):
        [None for _ in iter(int, 1)]
