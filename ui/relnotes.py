"""`from relnotes import Assistant`, and `python -m relnotes` for the command; installed beside the packages."""

if __name__ == "__main__":
    import os
    import sys

    # Python puts the working directory first, whose modules may belong to anybody.
    if sys.path[0] == os.getcwd():  # noqa: PTH109
        del sys.path[0]

    from ui.cli import main

    main()
else:
    from corpus.errors import IndexNotFound, RelnotesError
    from corpus.versions import Version
    from ingest.pipeline import build_index
    from retrieval import Answer, Assistant, Status

    __all__ = ["Answer", "Assistant", "IndexNotFound", "RelnotesError", "Status", "Version", "build_index"]
