"""Runs one trial: `python -m evals.lab TRIAL [option]...`; `python -m evals.lab` lists them. Status 1 if a requirement
fails."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from evals.command import run_command
from evals.lab.trials import trial_lines

TRIALS = {
    "speed": ("evals.lab.speed", "a question from cold, warm ones and memory, beside a script and one that reranks"),
    "agents": ("evals.lab.agents", "what an agent reads for an ask over MCP, and whether the answer stands in it"),
}
"""Modules with `add_options(parser)` and `run(options)`, which returns `TrialFindings`; and descriptions."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a trial and print its findings; return 1 if a requirement fails, 2 without a trial's name."""
    name, *rest = (sys.argv[1:] if arguments is None else list(arguments)) or [""]
    if name not in TRIALS:
        listed = "".join(f"  {trial:9} {description}\n" for trial, (_, description) in TRIALS.items())
        sys.stderr.write(f"Usage: python -m evals.lab TRIAL [--help]. The trials:\n{listed}")
        return 2
    module = import_module(TRIALS[name][0])
    parser = ArgumentParser(
        prog=f"python -m evals.lab {name}", description=module.__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    module.add_options(parser)
    trial = module.run(parser.parse_args(rest))
    sys.stdout.write("\n".join(trial_lines(trial)) + "\n")
    for measure, required, actual, is_met in trial.summary:
        sys.stdout.write(f"{'holds' if is_met else 'FAILS'}: {measure}: {actual} (must be {required})\n")
    return int(not all(row[3] for row in trial.summary))


if __name__ == "__main__":
    run_command(main)
