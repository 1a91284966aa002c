"""What a fuzz target is, a way into the product that keeps a promise for any bytes, and what one input does to it."""

import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

REPOSITORY = Path(__file__).parents[1]
SHARED = REPOSITORY.parent / "shared"
EXAMPLES = Path(__file__).parent / "data" / "fuzz"
"""Inputs that once broke a promise, smallest form, in a folder for each target: `tests/test_fuzz.py` tries them all."""
JSON_SIGNS = (
    *'{ } [ ] " : , null true 1e999 "\\ud800" "\\u0000" NaN -0 \\'.split(),
    "[" * 400,
    '{"a":' * 300,
    "9" * 40,
)
TOML_SIGNS = ("[[source]]\n", "[a]\n", *'[ ] = " \'\'\' """ { } 1979-05-27 \\u0000'.split())
TEXT_SIGNS = (
    *"<script> </details> \x1b]0;a\x07 \x9b31m \u202e ` [1] ](javascript:a) <!channel> | &lt; @U1 {{a}} ${a} ::error:: **".split(),
    *("```\n", "\f", "\r", "\u2028", "\n- ", "\n\n", "\n    ", "[2]: a"),
)
"""Pieces that several targets share: what parsers, and those who draw text, trip over."""
_MAX_SEED_BYTES = 12_000
_MINIMISING_TRIES = 400
_MINIMISING_S = 20


@dataclass(frozen=True, slots=True)
class Target:
    """One way in. `check` takes any bytes; an error of ours that a reader expects is no fault, all else is."""

    name: str
    check: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    """Real or hand-made inputs that mutation begins from; never empty."""
    signs: tuple[str, ...] = ()
    """Pieces of its grammar that the seeds don't show, which a mutator puts where chance never would."""
    most_bytes: int = 1024 * 1024
    """An input that is larger is refused by its size, and says nothing of how time grows."""
    per_input_s: float = 5.0
    """Seconds of processor time after which an input counts as hanging; inputs are some ten KiB."""

    @property
    def examples(self) -> Path:
        """The folder where its examples are kept."""
        return EXAMPLES / "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in self.name)


def text_of(data: bytes) -> str:
    """Bytes as text, whatever they are."""
    return data.decode("utf-8", errors="replace")


def real_files(*patterns: str, most: int = 6) -> tuple[bytes, ...]:
    """The beginnings of some of our own documents, and of those of ../shared where it is: paths in order, spread."""
    found = sorted(
        path for pattern in patterns for root in (REPOSITORY, SHARED) for path in root.glob(pattern) if path.is_file()
    )
    step = max(1, len(found) // most)
    return tuple(path.read_bytes()[:_MAX_SEED_BYTES] for path in found[::step][:most])


class HangError(BaseException):
    """An input took longer than any may. Not an `Exception`: no handler of the product takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What broke and where; two failures of the same kind at the same place are one."""

    kind: str
    """`crash` or `hang`."""
    error: str
    place: str
    """The file and line of ours that the error came out of last."""
    message: str

    @property
    def cause(self) -> tuple[str, str, str]:
        """What two inputs that fail alike have in common."""
        return self.kind, self.error, self.place


def arm() -> None:
    """Let `try_input` interrupt what hangs; regular expressions ask for signals too."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError

    signal.signal(signal.SIGVTALRM, stop)


def try_input(target: Target, content: bytes) -> tuple[Failure | None, float]:
    """What breaks with this input, and the seconds of processor time that it took; needs `arm`."""
    began = time.process_time()
    failure = None
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, target.per_input_s)
        try:
            target.check(content)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except HangError as error:
        failure = _failure("hang", error)
    except Exception as error:  # whatever it is: that is what is looked for
        failure = _failure("crash", error)
    return failure, time.process_time() - began


def _failure(kind: str, error: BaseException) -> Failure:
    *_, last = (
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and "/lib/python" not in frame.filename and frame.name != "stop"
    )
    place = f"{'/'.join(last.filename.split('/')[-2:])}:{last.lineno}"
    return Failure(kind, type(error).__name__, place, " ".join(str(error).split())[:300])


def minimised(target: Target, content: bytes, failure: Failure) -> bytes:
    """The smallest input found within some tries that fails alike; `content` itself where it hangs for long."""
    until = time.process_time() + _MINIMISING_S
    tries = 0
    size = len(content) // 2
    while size:
        start, is_shorter = 0, False
        while start < len(content):
            if tries == _MINIMISING_TRIES or time.process_time() > until:
                return content
            tries += 1
            shorter = content[:start] + content[start + size :]
            found, _ = try_input(target, shorter)
            if found is not None and found.cause == failure.cause:
                content, is_shorter = shorter, True
            else:
                start += size
        if not is_shorter or size > len(content):
            size = min(size, len(content)) // 2
    return content
