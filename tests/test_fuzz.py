"""Every way in, tried with hostile bytes: a few thousand inputs of a fixed seed, and all that ever broke a promise.

`make fuzz` is the long form, guided by coverage; what it finds becomes an example in `tests/data/fuzz`.
"""

import random
import signal
from collections.abc import Iterator

import pytest
from fuzz_asked import FORMS, MAX_S, SIZES
from fuzz_families import families
from fuzz_growth import Growth
from fuzz_line_families import GRAMMARS, line_families, line_kinds
from fuzz_mutation import MAX_BYTES, Mutator
from fuzz_target import EXAMPLES, Failure, Target, arm, minimised, try_input
from fuzz_targets import open_targets

SEED = 10
INPUTS = 16
"""For each target; those that read whole documents are tried with fewer."""
_SLOW = ("document:", "ask", "cite", "words")
pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def targets() -> Iterator[dict[str, Target]]:
    with open_targets() as targets:
        usual = signal.getsignal(signal.SIGVTALRM)
        arm()
        yield targets
        signal.signal(signal.SIGVTALRM, usual)


def test_every_target_keeps_its_promises_on_its_own_seeds(targets: dict[str, Target]) -> None:
    assert len(targets) > 50
    for target in targets.values():
        for content in target.seeds:
            assert try_input(target, content)[0] is None, target.name


def test_what_once_broke_a_promise_no_longer_does(targets: dict[str, Target]) -> None:
    by_folder = {target.examples.name: target for target in targets.values()}
    tried = [(by_folder[path.parent.name], path) for path in sorted(EXAMPLES.glob("*/*"))]
    assert tried
    for target, path in tried:
        assert try_input(target, path.read_bytes())[0] is None, f"{target.name}: {path.name}"


@pytest.mark.slow
def test_hostile_bytes_of_a_fixed_seed_break_nothing(targets: dict[str, Target]) -> None:
    broken: list[tuple[str, Failure, bytes]] = []
    for target in targets.values():
        chance = random.Random(f"{SEED} {target.name}")
        mutator = Mutator(target.seeds, target.signs)
        for _ in range(INPUTS // 4 if target.name.startswith(_SLOW) else INPUTS):
            content = mutator.fresh(chance)
            failure, _took = try_input(target, content)
            if failure is not None:
                broken.append((target.name, failure, content))
    assert broken == []


def test_the_same_chance_gives_the_same_inputs_of_bounded_size() -> None:
    mutator = Mutator([b"one\ntwo\n", b"three"], ["<", "\ud800"])
    chance, same_chance = random.Random(1), random.Random(1)
    made = [mutator.fresh(chance) for _ in range(200)]
    assert made == [mutator.fresh(same_chance) for _ in range(200)]
    assert max(map(len, made)) <= MAX_BYTES
    assert len(set(made)) > 150


def _refuses_x(content: bytes) -> None:
    if b"x" in content:
        raise ZeroDivisionError("an x")


def test_a_failing_input_is_made_small_and_still_fails_alike() -> None:
    arm()
    target = Target("x", _refuses_x, (b"",), ())
    failure, _ = try_input(target, b"a" * 300 + b"x" + b"b" * 300)
    assert failure is not None
    assert (failure.kind, failure.error, failure.message) == ("crash", "ZeroDivisionError", "an x")
    assert minimised(target, b"a" * 300 + b"x" + b"b" * 300, failure) == b"x"


def _hangs(content: bytes) -> None:
    while content:
        pass


def test_what_hangs_is_interrupted_and_reported() -> None:
    arm()
    failure, took = try_input(Target("x", _hangs, (b"",), (), per_input_s=0.5), b"a")
    assert failure is not None
    assert failure.kind == "hang"
    # The clock that interrupts and the one that counts tick apart, beside other work by some hundredths of a second.
    assert took >= 0.4


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_exponent_of_growth_is_the_power(power: float) -> None:
    sizes = tuple(8_192 * 2**doubling for doubling in range(6))
    grown = Growth("a", "b", sizes, tuple((size / 8_192) ** power for size in sizes))
    assert grown.exponent == pytest.approx(power)
    assert grown.is_defect is (power > 1.3)


def test_what_is_too_quick_to_measure_has_no_exponent() -> None:
    assert Growth("a", "b", (1, 2, 4), (0.0, 0.001, 0.01)).exponent is None


def test_the_hostile_families_of_every_target_break_nothing_and_end(targets: dict[str, Target]) -> None:
    for target in targets.values():
        if not target.name.startswith(_SLOW):
            for name, family in families(target):
                if not name.startswith("repeated"):
                    assert try_input(target, family(2_000))[0] is None, f"{target.name}: {name}"


@pytest.mark.parametrize("form", FORMS)
def test_a_question_or_claim_of_one_piece_costs_little(form: str, targets: dict[str, Target]) -> None:
    for name in ("ask", "cite"):
        failure, took = try_input(targets[name], (form * SIZES[-1])[: SIZES[-1]].encode())
        assert failure is None
        assert took < MAX_S, name


def test_a_grammar_gives_a_line_for_each_alternative() -> None:
    grammar = {"line": ("<mark> <text>", "<text>", "@"), "mark": ("-", "*"), "text": ("a@", "<b>")}
    assert line_kinds(grammar) == ("- a@", "a@", "@", "* a@", "- <b>")


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_kind_of_line_of_every_format_is_read(name: str, targets: dict[str, Target]) -> None:
    for family, build in line_families(name, pairs=5, seed=SEED):
        if family.startswith(("spaced", "one line")):
            continue  # left to `make growth`
        assert try_input(targets[name], build(500))[0] is None, family


def test_examples_have_a_target(targets: dict[str, Target]) -> None:
    folders = {target.examples for target in targets.values()}
    assert len(folders) == len(targets)
    assert folders.issuperset(path for path in EXAMPLES.iterdir() if path.is_dir())
