"""The command line: `main` is the entry point of `relnotes`."""

from ui.environment import silence_libraries


def main() -> None:
    """Run the `relnotes` command with the process's arguments, and exit with its status."""
    silence_libraries()
    from ui.cli.app import app

    app(prog_name="relnotes")
