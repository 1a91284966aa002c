"""How the commands of evals end."""

from dataclasses import replace
from pathlib import Path

import pytest

from corpus.errors import RelnotesError, UsageError
from evals.command import run_command
from evals.suites import BUNDLED, require_suites


def failing(error: Exception) -> int:
    raise error


@pytest.mark.parametrize(
    "error", [RelnotesError("It broke."), UsageError("It broke.")], ids=lambda one: type(one).__name__
)
def test_an_error_of_ours_is_one_line_and_status_1(error: RelnotesError, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_command(lambda: failing(error))
    assert (ended.value.code, *capsys.readouterr()) == (1, "", "It broke.\n")


def test_what_needs_absent_documents_says_so(tmp_path: Path) -> None:
    absent = replace(BUNDLED, documents=tmp_path / "none")
    require_suites((BUNDLED,), purpose="Tuning")
    with pytest.raises(RelnotesError, match=r"^Tuning needs \.\./shared beside the checkout; nothing was changed\.$"):
        require_suites((BUNDLED, absent), purpose="Tuning")
