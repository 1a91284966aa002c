"""`from relnotes import Assistant`, and `python -m relnotes` for the command; installed beside the packages."""

if __name__ == "__main__":
    from ui.cli import main

    main()
else:
    from corpus import IndexNotFound, RelnotesError, Version
    from ingest import build_index
    from retrieval import Answer, Assistant, Status

    __all__ = ["Answer", "Assistant", "IndexNotFound", "RelnotesError", "Status", "Version", "build_index"]
