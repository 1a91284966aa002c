"""`python -m ui.cli` is `relnotes`."""

from ui.cli import main

if __name__ == "__main__":
    main()
