"""The command line: `main` is the entry point of `relnotes`."""

import contextlib
import gc
import logging
import os
import sys

from ui.environment import silence_libraries


def main() -> None:
    """Run the `relnotes` command with the process's arguments, and exit with its status."""
    # Files written, such as the index, are readable by their owner only: 0700 and 0600.
    os.umask(0o077)
    silence_libraries()
    # Disabled for all loggers, because some libraries set the level of theirs when they are imported.
    logging.disable(logging.INFO)
    # Imports make no garbage, so collecting during them only costs time.
    gc.disable()
    try:
        from ui.cli.app import app

        gc.enable()
        try:
            app(prog_name="relnotes")
        finally:
            # Skips the collection at exit.
            gc.freeze()
            # At exit an error could no longer be shown.
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            print("relnotes: Ended by Ctrl-C.", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    except BrokenPipeError:
        # The reader has closed the pipe and needs no message.
        _discard_output()
        sys.exit(1)
    except OSError as error:
        with contextlib.suppress(OSError):
            place = f"{error.filename!r}" if error.filename else "the output"
            print(f"relnotes: Cannot read or write {place}: {error.strerror or error}.", file=sys.stderr)  # noqa: T201
        _discard_output()
        sys.exit(1)


def _discard_output() -> None:
    """Point both streams to the null device, so that flushing their buffers can't fail again at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError):
            os.dup2(null, stream.fileno())
