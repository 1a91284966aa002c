"""Releases as questions name them: by number and range, by their place among the others, by when they came out."""

from datetime import date

import pytest
from asked_catalogue import CATALOGUE, TODAY, product, understand, versions_of
from hypothesis import given
from hypothesis import strategies as st

from retrieval.question.periods import find_period
from retrieval.question.query import parse_query


@pytest.mark.parametrize(
    ("question", "products", "expected"),
    [
        ("v2.9 release notes: fp8?", ("PyTorch",), "2.9"),
        ("anything on fp8 in 2.9.x", ("PyTorch",), "2.9"),
        ("what changed in torch 2.x for windows", ("PyTorch",), "2"),
        ("2.9 or later - is torch.cond stable?", ("PyTorch",), "since 2.9"),
        ("fp8 since 2.9", (), "since 2.9"),
        ("removed apis up to 2.12", (), "up to 2.12"),
        ("removed between 2.8 and 2.12", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("django 5.1=>5.2", ("Django",), "5.1 < version ≤ 5.2"),
        ("from 2.8 to 2.12 what breaks", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("before 3.0 how was it", (), "before 3.0"),
        ("2.9 and 2.10: same default?", (), "2.9 and 2.10"),
        ("3.12's f-strings", (), "3.12"),
        ("Django 4 deprecations", ("Django",), "4"),
        ("django>=4.2,<5.2 what matters", ("Django",), "4.2 ≤ version < 5.2"),
        (">=2.0,<3 notes", (), "2.0 ≤ version < 3"),
        ("sqlalchemy~=1.4 asyncio", ("sqlalchemy",), "1.4 ≤ version < 2"),
        ('"^0.3.1" changes', (), "0.3.1 ≤ version < 0.4"),
        ("django ==5.1", ("Django",), "5.1"),
        ("django<=5.0", ("Django",), "up to 5.0"),
        ("2.0.0b3 breakage", (), "2.0.0b3"),
        ("the 2.0 beta: typing?", (), "2.0"),
        ("2.1 beta 1 of sqlalchemy", ("sqlalchemy",), "2.1beta1"),
        ("torch 2.13 dev4 notes", ("PyTorch",), "2.13dev4"),
        ("does pydantic read v1 files", ("pydantic",), None),
        ("latest security fix in django", ("Django",), None),
        ("pre-2.9 behaviour of compile", (), "before 2.9"),
        ("post-2.9 behaviour of compile", (), "since 2.9"),
        ("does it run on a V100 or H100 or A100 with sm_90", (), None),
        ("2.5x faster than before?", (), None),
        ("PEP 649", (), None),
        ("port 8080 default?", (), None),
        ("on 2024-10-17 what happened", (), None),
        ("is 3.5% CPU normal", (), None),
        ("uses 1.5 GB more memory in 2.9?", (), "2.9"),
        ("torch==2.7.1+cu128 wheels", ("PyTorch",), "2.7.1+cu128"),
        ("2.8 through 2.10", ("PyTorch",), "2.8 ≤ version ≤ 2.10"),
        ("which options came with torch 2.8 thru torch 2.10", ("PyTorch",), "2.8 ≤ version ≤ 2.10"),
        ("what's in rc1 of NumPy 2.2", ("NumPy",), "2.2rc1"),
        ("versions 2.8-2.10", ("PyTorch",), "2.8 < version ≤ 2.10"),
        ("not yet in 5.1 but in 5.2?", (), "5.1 and 5.2"),
        ("django four point two", ("Django",), None),
        ("changes in the last two releases of torch", ("PyTorch",), "last two releases: 2.10 and 2.12"),
        ("anything about fp8 in the last 3 torch releases?", ("PyTorch",), "last 3 releases: 2.9, 2.10 and 2.12"),
        ("the release before 2.9 of torch, did it have it?", ("PyTorch",), "the release before 2.9: 2.8"),
        ("what was new in the version after torch 2.9", ("PyTorch",), "the release after 2.9: 2.10"),
        ("previous torch release: onnx", ("PyTorch",), "previous release: 2.10"),
        ("what did last year's django release remove?", ("Django",), "last year: 5.2 and 6.0"),
        ("what did torch deprecate in 2025?", ("PyTorch",), "in 2025: 2.6, 2.7, 2.8 and 2.9"),
        (
            "which torch releases came out since March 2025",
            ("PyTorch",),
            "since March 2025: 2.7, 2.8, 2.9, 2.10 and 2.12",
        ),
        ("what's new in torch this year", ("PyTorch",), "this year: 2.10 and 2.12"),
        ("what's new in the October torch release", ("PyTorch",), "in the October: 2.9"),
        ("what did the October 2024 release of torch change", ("PyTorch",), "October 2024: 2.5"),
        ("anything breaking in django over the past year?", ("Django",), "over the past year: 6.0"),
        ("django release of december 2023", ("Django",), "of december 2023: 5.0"),
        ("Are dates after 2038 handled in django?", ("Django",), None),
        ("is the 2024 edition supported by rust", ("Rust",), None),
        ("whats the min python for django6", ("Django",), "6"),
        ("k8s: 1.29 -> 1.31 removed betas", ("Kubernetes",), "1.29 < version ≤ 1.31"),
        ("pg16 logical replication from standby", ("PostgreSQL",), "16"),
        ("click on the button", (), None),
        ("every node in the cluster", (), None),
        ("py torch 2.9 mps", ("PyTorch",), "2.9"),
        ("pydantic 2.12.0a1", ("pydantic",), "2.12.0a1"),
        ("version 2.11 of pydantic", ("pydantic",), "2.11"),
        ("pydantic, version 2.11", ("pydantic",), "2.11"),
        ("pydantic-2.11", ("pydantic",), "2.11"),
        ("pydantic@2.11.0", ("pydantic",), "2.11.0"),
        ("pydantic[email]==2.11.0", ("pydantic",), "2.11.0"),
        ('"torch==2.9.*"', ("PyTorch",), "2.9"),
        ("torch ≥2.8", ("PyTorch",), "since 2.8"),
        ("torch 2.8 and up", ("PyTorch",), "since 2.8"),
        ("torch 2.8 or older", ("PyTorch",), "up to 2.8"),
        ("torch releases newer than 2.8", ("PyTorch",), "after 2.8"),
        ("torch no later than 2.9", ("PyTorch",), "up to 2.9"),
        ("torch at least 2.9", ("PyTorch",), "since 2.9"),
        ("at most torch 2.9", ("PyTorch",), "up to 2.9"),
        ("anything up to and including torch 2.9", ("PyTorch",), "up to 2.9"),
        ("all torch 2 releases", ("PyTorch",), "2"),
        ("torch 2.8, 2.9 and 2.10", ("PyTorch",), "2.8, 2.9 and 2.10"),
        ("torch [2.8, 2.10]", ("PyTorch",), "2.8 and 2.10"),
        ("torch nightly", ("PyTorch",), None),
        ("RFC 9110 support in httpx", ("httpx",), None),
        ("port 443 default httpx 0.28?", ("httpx",), "0.28"),
        ("line 42 of fastapi", ("FastAPI",), None),
        ("fastapi 100k rps", ("FastAPI",), None),
        ("CUDA 12.6 or 12.8 for torch 2.9?", ("PyTorch",), "2.9"),
        ("gcc 13 to build torch 2.9", ("PyTorch",), "since 2.9"),
        ("released 2024-10-17? torch 2.5", ("PyTorch",), "2.5"),
        ("does the API in 3.1 return json", (), "3.1"),
        ("in prod 2.9 crashes", (), "since 2.9"),
        ("morning! quick q: does anything in torch 2.9 change torch.load defaults?", ("PyTorch",), "2.9"),
        ("trying to use `Annotated` w fastapi 0.110, got 422s", ("FastAPI",), "since 0.110"),
        ("pip install torch==2.8 fails on py3.14, which torch has wheels?", ("PyTorch",), "2.8"),
        ("rollback from django 5.1 to 5.0 - what do i lose", ("Django",), "5.0 < version ≤ 5.1"),
        ("everything from 2.8 (excl) to 2.10 (incl) in torch", ("PyTorch",), "2.8 < version ≤ 2.10"),
        ("torch 2.8+", ("PyTorch",), "since 2.8"),
        ("django 5.*, async", ("Django",), "5"),
        ("Django V5", ("Django",), "5"),
        ("is it backported to 5.0.x and 4.2.x?", (), "4.2 and 5.0"),
        ("¿qué hay de nuevo en django 5.2?", ("Django",), "5.2"),
        ("Django5.2 の新機能", ("Django",), "5.2"),
        ("5.2?", ("Django",), "5.2"),
        ("django", ("Django",), None),
        ("what changed?", (), None),
        ("between Django 4.2 LTS and Django 5.2 LTS what was removed", ("Django",), "4.2 < version ≤ 5.2"),
        ("what was deprecated in django 4.2 and removed in 5.1", ("Django",), "4.2 and 5.1"),
        ("to be removed in django 6.1", ("Django",), "6.1"),
        ("does flask 3.1 need werkzeug 3.1?", ("Flask",), "3.1"),
        ("is pydantic faster than attrs", ("pydantic",), None),
        ("httpx.AsyncClient(proxies=...) removed?", ("httpx",), None),
        ("requests.get timeout default", ("requests",), None),
        ("import torch segfaults on 2.9", ("PyTorch",), "since 2.9"),
        ("ModuleNotFoundError: No module named 'distutils' on 3.12", (), "since 3.12"),
        ("upgrade django 4.2 to 5.2", ("Django",), "4.2 < version ≤ 5.2"),
        ("anything that bites going 2.0.0 → 2.0.40?", ("sqlalchemy",), "2.0.0 < version ≤ 2.0.40"),
        ("which releases of django came out in 2024", ("Django",), "in 2024: 4.2.14, 5.0.7, 5.1 and 5.1.4"),
        ("which django version was released on 2023-04-03", ("Django",), "on 2023-04-03: 4.2"),
        ("which django release came out on 3 April 2023", ("Django",), "on 3 April 2023: 4.2"),
        ("which numpy was released in 1999", ("NumPy",), "in 1999: none"),
        ("what came after torch 2.9", ("PyTorch",), "the release after 2.9: 2.10"),
        ("home assistant in 2024 breaking changes", ("Home Assistant",), "in 2024: 2024.1 and 2024.12"),
        ("difference between django 5.1 and 5.2", ("Django",), "5.1 and 5.2"),
        ("how does 2.9 differ from 2.8", (), "2.8 and 2.9"),
        ("Ｗｈｅｎ was ｄｊａｎｇｏ ４．２ released", ("Django",), "4.2"),
        ("which is newer, torch 2.9 or 2.10?", ("PyTorch",), "2.9 and 2.10"),
        ("what was the default before django 6.0", ("Django",), "before 6.0"),
        ("how do i migrate from pydantic v1 to v2", ("pydantic",), "1 < version ≤ 2"),
        ("postgres 15 to 17 upgrade notes", ("PostgreSQL",), "15 < version ≤ 17"),
        ("ubuntu 24.04 LTS vs 24.10", ("Ubuntu",), "24.04 and 24.10"),
    ],
)
def test_releases_as_people_name_them(question: str, products: tuple[str, ...], expected: str | None) -> None:
    query = understand(question)
    assert (query.products, versions_of(query)) == (products, expected)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what changed in 2024?", "2024-01-01", "2025-01-01"),
        ("releases since 2024-10-17", "2024-10-17", "9999-12-31"),
        ("releases before December 2024", "0001-01-01", "2024-12-01"),
        ("releases until December 2024", "0001-01-01", "2025-01-01"),
        ("releases after December 2024", "2025-01-01", "9999-12-31"),
        ("what was deprecated last month", "2026-05-01", "2026-06-01"),
        ("what's new this year", "2026-01-01", "2027-01-01"),
        ("the October release", "2025-10-01", "2025-11-01"),
        ("the June release", "2026-06-01", "2026-07-01"),
        ("the release in May", "2026-05-01", "2026-06-01"),
        ("releases you may know", None, None),
        ("dates after 2038", None, None),
        ("which version fixed dates in 2038", None, None),
        ("is Visual Studio 2022 version 17 needed", None, None),
        ("which SQL Server 2022 features were added", None, None),
        ("releases planned in 2027", "2027-01-01", "2028-01-01"),
        ("how many releases did it have in 2025", "2025-01-01", "2026-01-01"),
        ("support for ECMAScript 2024", None, None),
        ("what changed for 2024-13-45", None, None),
        ("releases since 9999-12-31", None, None),
        ("\u0130\u0130 releases in May 2024", "2024-05-01", "2024-06-01"),
    ],
)
def test_periods(question: str, start: str | None, end: str | None) -> None:
    period = find_period(question, today=TODAY)
    assert (str(period.start) if period else None, str(period.end) if period else None) == (start, end)


@given(st.text(max_size=60), st.dates(min_value=date(2023, 1, 1)))
def test_a_period_has_days_and_the_words_of_the_question(text: str, today: date) -> None:
    period = find_period(f"{text} releases in 2024", today=today)
    assert period is not None
    assert period.start < period.end
    assert period.words


def test_many_releases_of_a_period_are_one_interval_where_nothing_else_lies_between() -> None:
    days = " ".join(f"0.{n}=2024-01-{n:02}" for n in range(1, 20))
    one_line = parse_query("what changed in 2024?", catalogue=(product("a", (), days + " 0.20=2025-01-01"),))
    assert str(one_line.constraint) == "0.1 ≤ version ≤ 0.19"
    two_lines = parse_query("what changed in 2024?", catalogue=(product("a", (), days + " 0.5.1=2025-01-01"),))
    assert two_lines.constraint is not None
    assert len(two_lines.constraint.versions) == 19
    assert versions_of(two_lines) == "in 2024: 19 releases from 0.1 to 0.19"


def test_a_version_filter_wins_over_a_period() -> None:
    query = parse_query("what changed in 2025?", catalogue=CATALOGUE, product="torch", version="2.9", today=TODAY)
    assert versions_of(query) == "2.9"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("is 20240203-110809 safe", "20240203-110809"),
        ("what fixed the backup 20240105-101010", None),
        ("order 20241231-0001 broke", None),
    ],
)
def test_a_day_and_a_time_is_a_release_where_there_is_such(question: str, expected: str | None) -> None:
    stamped = (product("wezterm", (), "20230712-072601-f4abf8fd 20240203-110809-5046fc22"),)
    constraint = parse_query(question, catalogue=stamped).constraint
    assert (None if constraint is None else str(constraint)) == expected
