"""SIGTERM and Ctrl-C inside a command that writes: whatever is made of them on the way, one error says who ended it."""

import os
import signal
import subprocess
import sys

import pytest

from ui.cli.interruption import Interrupted, ending_on_signals

NUMBERS = pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "Ctrl-C")], ids=["SIGTERM", "SIGINT"]
)


@ending_on_signals()
def be_told(number: signal.Signals, *, made_of_it: type[BaseException]) -> None:
    """A command in whose midst a signal comes, while a library is at work that turns some errors into its own."""
    try:
        os.kill(os.getpid(), number)
    except made_of_it as error:
        raise ImportError("already registered") from error


@NUMBERS
@pytest.mark.parametrize("made_of_it", [Exception, BaseException], ids=["left alone", "made an error of its own"])
def test_a_signal_ends_the_command(number: signal.Signals, name: str, made_of_it: type[BaseException]) -> None:
    with pytest.raises(Interrupted, match=f"Ended by {name} before it was done"):
        be_told(number, made_of_it=made_of_it)


def test_without_a_signal_nothing_is_changed() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with pytest.raises(ZeroDivisionError), ending_on_signals():
        raise ZeroDivisionError
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


BUSY = {
    "a call that looks up from its work never": "hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
    "an end that never comes": "leave()",
}


@NUMBERS
@pytest.mark.parametrize("call", BUSY.values(), ids=BUSY.keys())
def test_a_signal_ends_what_does_not_hear_of_it(number: signal.Signals, name: str, call: str) -> None:
    program = f"""
import hashlib, sys, time
from ui.cli.interruption import Interrupted, ending_on_signals
def leave():
    try:
        time.sleep(10**6)
    finally:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
try:
    with ending_on_signals():
        print("begun", flush=True)
        {call}
except Interrupted as error:
    print(f"relnotes: {{error}}", file=sys.stderr)
    sys.exit(error.exit_status)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(number)
            _, said = process.communicate(timeout=120)
        finally:
            process.kill()
    assert (process.returncode, said.count("\n")) == (130 if number is signal.SIGINT else 1, 1)
    assert said.startswith(f"relnotes: Ended by {name} before it was done.")
