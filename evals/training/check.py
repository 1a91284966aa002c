"""Check every line of the training set: `python -m evals.training.check [--documents FOLDER] [--tables]`.

Ends with 1 where something is wrong and lists all of it by file and line. Gold is compared with the documents that are
on this machine: ../shared/corpora, and those that `python -m evals.training.fetch` brought. Goes to no network.
"""

import argparse
import sys
from pathlib import Path

from evals.command import run_command
from evals.pages import FolderTexts
from evals.training.checking import check_gold, check_questions
from evals.training.composition import DATASHEET, with_tables
from evals.training.suites import TRAINING_CORPORA, fetched_folder


def main() -> int:
    """Check the set; 1 where it has faults.

    Raises:
        UsageError: the sources, or a question set that it is compared with, can't be read.
    """
    parser = argparse.ArgumentParser(description="Check every line of the training set.")
    parser.add_argument(
        "--documents", metavar="FOLDER", type=Path, help="where documents were fetched to; default: in the cache folder"
    )
    parser.add_argument("--tables", action="store_true", help="write the tables of evals/training/DATASHEET.md anew")
    arguments = parser.parse_args()
    lines, faults = check_questions()
    gold = check_gold(lines, FolderTexts(TRAINING_CORPORA.documents, arguments.documents or fetched_folder()))
    faults = (*faults, *gold.faults)
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    sys.stdout.write(
        f"{len(lines)} questions, {len(faults)} faults; {gold.checked} gold ranges compared with documents\n"
    )
    if gold.absent:
        sys.stdout.write(
            f"{gold.absent} gold ranges not compared: their documents aren't here (python -m evals.training.fetch, "
            "and ../shared beside the checkout)\n"
        )
    if arguments.tables:
        datasheet = DATASHEET.read_text(encoding="utf-8")
        DATASHEET.write_text(with_tables(datasheet, [line.question for line in lines]), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    run_command(main)
