"""The command line: `main` is the entry point of `relnotes`."""

import contextlib
import gc
import logging
import os
import sys

from ui.environment import silence_libraries


def main() -> None:
    """Run the `relnotes` command with the process's arguments, and exit with its status."""
    # Whatever is written, an index and what people gave above all, is for its owner alone: 0700 and 0600.
    os.umask(0o077)
    silence_libraries()
    # For all loggers at once: some libraries set the level of their own when they are imported.
    logging.disable(logging.INFO)
    # What is imported stays: there is no garbage to look for.
    gc.disable()
    try:
        from ui.cli.app import app

        gc.enable()
        try:
            app(prog_name="relnotes")
        finally:
            # Nor is anything of it looked for at exit.
            gc.freeze()
            # Here and not at exit, where an error can't be shown any more.
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            print("relnotes: Ended by Ctrl-C.", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    except BrokenPipeError:
        # The reader of the output has seen enough, and knows.
        _discard_output()
        sys.exit(1)
    except OSError as error:
        with contextlib.suppress(OSError):
            place = f"{error.filename!r}" if error.filename else "the output"
            print(f"relnotes: Cannot read or write {place}: {error.strerror or error}.", file=sys.stderr)  # noqa: T201
        _discard_output()
        sys.exit(1)


def _discard_output() -> None:
    """Point both streams to nowhere, so that what they still hold can't fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError):
            os.dup2(nowhere, stream.fileno())
