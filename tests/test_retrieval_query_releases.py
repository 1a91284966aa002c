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
        ("2.8 -> 2.12 gotchas", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("torch 2.8 – 2.12 deprecations", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("django 5.1=>5.2", ("Django",), "5.1 < version ≤ 5.2"),
        ("from 2.8 to 2.12 what breaks", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("before 3.0 how was it", (), "before 3.0"),
        ("2.9 and 2.10: same default?", (), "2.9 and 2.10"),
        ("3.12's f-strings", (), "3.12"),
        ("Django 4 deprecations", ("Django",), "4"),
        ("django>=4.2,<5.2 what matters", ("Django",), "4.2 ≤ version < 5.2"),
        (">=2.0,<3 notes", (), "2.0 ≤ version < 3"),
        ("sqlalchemy~=1.4 asyncio", ("sqlalchemy",), "1.4 ≤ version < 2"),
        ("react ^18.2 hooks", ("React",), "18.2 ≤ version < 19"),
        ('"^0.3.1" changes', (), "0.3.1 ≤ version < 0.4"),
        ("~=1.4.2 fixes", (), "1.4.2 ≤ version < 1.5"),
        ("django ==5.1", ("Django",), "5.1"),
        ("django>5.0", ("Django",), "after 5.0"),
        ("django<=5.0", ("Django",), "up to 5.0"),
        ("3.13rc1 changes", (), "3.13rc1"),
        ("2.0.0b3 breakage", (), "2.0.0b3"),
        ("the 2.0 beta: typing?", (), "2.0"),
        ("2.1 beta 1 of sqlalchemy", ("sqlalchemy",), "2.1beta1"),
        ("sqlalchemy 2.1 b1: typing?", ("sqlalchemy",), "2.1b1"),
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
        ("versions 2.8-2.10", ("PyTorch",), "2.8 < version ≤ 2.10"),
        ("anything later than 5.1?", ("Django",), "after 5.1"),
        ("not yet in 5.1 but in 5.2?", (), "5.1 and 5.2"),
        ("django four point two", ("Django",), None),
        ("< 2.9 only", ("PyTorch",), "before 2.9"),
        ("as early as 2.8?", (), "2.8"),
        ("changes in the last two releases of torch", ("PyTorch",), "last two releases: 2.10 and 2.12"),
        ("anything about fp8 in the last 3 torch releases?", ("PyTorch",), "last 3 releases: 2.9, 2.10 and 2.12"),
        ("latest two pip releases, what broke", ("pip",), "latest two releases: 25.3 and 26.0"),
        ("the release before 2.9 of torch, did it have it?", ("PyTorch",), "the release before 2.9: 2.8"),
        ("what was new in the version after torch 2.9", ("PyTorch",), "the release after 2.9: 2.10"),
        ("previous torch release: onnx", ("PyTorch",), "previous release: 2.10"),
        ("most recent torch release - what's deprecated?", ("PyTorch",), "latest: 2.12"),
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
        ("before 2024, which django versions", ("Django",), "before 2024: 3.2, 4.2 and 5.0"),
        ("Are dates after 2038 handled in django?", ("Django",), None),
        ("is the 2024 edition supported by rust", ("Rust",), None),
        ("was fixed in may 2025 for django?", ("Django",), None),
        ("I may 2 things ask about django", ("Django",), None),
        ("xss hole in the admin of django patched where?", ("Django",), None),
        ("which features does django 5.2 not support", ("Django",), "5.2"),
        ("anyone know if fastapi works w/ pydantic 2.12 yet", ("FastAPI",), None),
        ("yo does numpy 2 break my pickles", ("NumPy",), "2"),
        ("whats the min python for django6", ("Django",), "6"),
        ("django6.0 tasks framework backends??", ("Django",), "6.0"),
        ("@bot pytest 9 subtests", ("pytest",), "9"),
        ("sqla 2.0 migration", (), "2.0"),
        ("k8s: 1.29 -> 1.31 removed betas", ("Kubernetes",), "1.29 < version ≤ 1.31"),
        ("pg16 logical replication from standby", ("PostgreSQL",), "16"),
        ("black 25.1.0 changed my code", ("black",), "25.1.0"),
        ("requests 2.32 ssl adapter broke", ("requests",), "2.32"),
        ("how many requests per second does httpx do", ("httpx",), None),
        ("click on the button", (), None),
        ("attrs 25.1 on python 3.14 ok?", ("attrs",), "25.1"),
        ("every node in the cluster", (), None),
        ("what about go modules", (), None),
        ("can i install torch 2.9 on ubuntu 24.04?", ("PyTorch",), "2.9"),
        ("py torch 2.9 mps", ("PyTorch",), "2.9"),
        ("scikitlearn 1.6", ("scikit-learn",), "1.6"),
        ("pedantic mode in 2.11", (), "2.11"),
        ("pydantic 2.12.0a1", ("pydantic",), "2.12.0a1"),
        ("pydantic v2 model_config", ("pydantic",), "2"),
        ("version 2.11 of pydantic", ("pydantic",), "2.11"),
        ("pydantic, version 2.11", ("pydantic",), "2.11"),
        ("pydantic (2.11)", ("pydantic",), "2.11"),
        ("pydantic-2.11", ("pydantic",), "2.11"),
        ("pydantic@2.11.0", ("pydantic",), "2.11.0"),
        ("pydantic/2.11.0", ("pydantic",), "2.11.0"),
        ("pydantic:2.11", ("pydantic",), "2.11"),
        ("pydantic[email]==2.11.0", ("pydantic",), "2.11.0"),
        ('"torch==2.9.*"', ("PyTorch",), "2.9"),
        ("torch >2.8 <=2.12", ("PyTorch",), "2.8 < version ≤ 2.12"),
        ("torch ≥2.8", ("PyTorch",), "since 2.8"),
        ("torch 2.8 and up", ("PyTorch",), "since 2.8"),
        ("torch 2.8 onwards", ("PyTorch",), "since 2.8"),
        ("torch 2.8 or older", ("PyTorch",), "up to 2.8"),
        ("torch releases newer than 2.8", ("PyTorch",), "after 2.8"),
        ("torch versions below 2.8", ("PyTorch",), "before 2.8"),
        ("torch no later than 2.9", ("PyTorch",), "up to 2.9"),
        ("torch at least 2.9", ("PyTorch",), "since 2.9"),
        ("at most torch 2.9", ("PyTorch",), "up to 2.9"),
        ("torch 2.9 and earlier", ("PyTorch",), "up to 2.9"),
        ("anything up to and including torch 2.9", ("PyTorch",), "up to 2.9"),
        ("torch starting with 2.9", ("PyTorch",), "since 2.9"),
        ("all torch 2 releases", ("PyTorch",), "2"),
        ("torch 2.8, 2.9 and 2.10", ("PyTorch",), "2.8, 2.9 and 2.10"),
        ("torch 2.8/2.9", ("PyTorch",), "2.8 and 2.9"),
        ("torch 2.8 thru 2.10", ("PyTorch",), "2.8 ≤ version ≤ 2.10"),
        ("torch [2.8, 2.10]", ("PyTorch",), "2.8 and 2.10"),
        ("torch nightly", ("PyTorch",), None),
        ("python 3k", ("Python",), None),
        ("RFC 9110 support in httpx", ("httpx",), None),
        ("httpx http/2 over socks5", ("httpx",), None),
        ("port 443 default httpx 0.28?", ("httpx",), "0.28"),
        ("line 42 of fastapi", ("FastAPI",), None),
        ("fastapi 100k rps", ("FastAPI",), None),
        ("fastapi in 5 minutes", ("FastAPI",), None),
        ("int8 fp16 bf16 in torch", ("PyTorch",), None),
        ("RTX 4090 torch", ("PyTorch",), None),
        ("H100 vs A100 torch 2.9", ("PyTorch",), "2.9"),
        ("CUDA 12.6 or 12.8 for torch 2.9?", ("PyTorch",), "2.9"),
        ("gcc 13 to build torch 2.9", ("PyTorch",), "since 2.9"),
        ("released 2024-10-17? torch 2.5", ("PyTorch",), "2.5"),
        ("what is new in django's last release", ("Django",), "latest: 6.0"),
        ("how far back do django notes go", ("Django",), None),
        ("does the API in 3.1 return json", (), "3.1"),
        ("Which Triton does 2.9 pin?", (), "2.9"),
        ("in prod 2.9 crashes", (), "since 2.9"),
        ("stable 2.9 vs nightly", (), "2.9"),
        ("morning! quick q: does anything in torch 2.9 change torch.load defaults?", ("PyTorch",), "2.9"),
        ("Q: django 5.2 - is python 3.9 still ok?", ("Django",), "5.2"),
        ("the docs for pytest 8.4 mention subtests?", ("pytest",), "8.4"),
        ("trying to use `Annotated` w fastapi 0.110, got 422s", ("FastAPI",), "since 0.110"),
        ("in scikit-learn >= 1.4 what happened to the `squared` param", ("scikit-learn",), "since 1.4"),
        ("our ci pins sqlalchemy<2, what do we lose", ("sqlalchemy",), "before 2"),
        ("pip install torch==2.8 fails on py3.14, which torch has wheels?", ("PyTorch",), "2.8"),
        ("any django LTS newer than 4.2?", ("Django",), "after 4.2"),
        ("which node versions does React 19 support", ("React",), "19"),
        ("rollback from django 5.1 to 5.0 - what do i lose", ("Django",), "5.0 < version ≤ 5.1"),
        ("everything from 2.8 (excl) to 2.10 (incl) in torch", ("PyTorch",), "2.8 < version ≤ 2.10"),
        ("torch 2.8+", ("PyTorch",), "since 2.8"),
        ("django 5.x LTS?", ("Django",), "5"),
        ("django 5.*, async", ("Django",), "5"),
        ("v5 django", ("Django",), "5"),
        ("Django V5", ("Django",), "5"),
        ("rc of python 3.14", ("Python",), "3.14"),
        ("python 3.12, 3.13, or 3.14: which has subinterpreters", ("Python",), "3.12, 3.13 and 3.14"),
        ("is it backported to 5.0.x and 4.2.x?", (), "4.2 and 5.0"),
        ("¿qué hay de nuevo en django 5.2?", ("Django",), "5.2"),
        ("was ist neu in django 5.2", ("Django",), "5.2"),
        ("Django5.2 の新機能", ("Django",), "5.2"),
        ("django changelog", ("Django",), None),
        ("5.2?", ("Django",), "5.2"),
        ("django", ("Django",), None),
        ("what changed?", (), None),
        ("release notes 2.12", (), "2.12"),
        ("between Django 4.2 LTS and Django 5.2 LTS what was removed", ("Django",), "4.2 < version ≤ 5.2"),
        ("what was deprecated in django 4.2 and removed in 5.1", ("Django",), "4.2 and 5.1"),
        ("removed by django 6.0", ("Django",), "6.0"),
        ("to be removed in django 6.1", ("Django",), "6.1"),
        ("does flask 3.1 need werkzeug 3.1?", ("Flask",), "3.1"),
        ("werkzeug 3.1 with flask 3.1", ("Flask",), "3.1"),
        ("pydantic 2.12 vs attrs 25.1 validators", ("pydantic", "attrs"), "2.12 and 25.1"),
        ("is pydantic faster than attrs", ("pydantic",), None),
        ("httpx.AsyncClient(proxies=...) removed?", ("httpx",), None),
        ("requests.get timeout default", ("requests",), None),
        ("np.float_ AttributeError after upgrade", ("NumPy",), None),
        ("from django.db import models fails", ("Django",), None),
        ("import torch segfaults on 2.9", ("PyTorch",), "since 2.9"),
        ("ModuleNotFoundError: No module named 'distutils' on 3.12", (), "3.12"),
        ("DeprecationWarning: datetime.utcnow() python 3.12", ("Python",), "3.12"),
        ("which python does click 8.2 need", ("Click",), "8.2"),
        ("upgrade django 4.2 to 5.2", ("Django",), "4.2 < version ≤ 5.2"),
        ("upgrading django from 4.2 LTS to 5.2 LTS", ("Django",), "4.2 < version ≤ 5.2"),
        ("we're on django 4.2, moving to 5.2", ("Django",), "4.2 < version ≤ 5.2"),
        ("anything that bites going 2.0.0 → 2.0.40?", ("sqlalchemy",), "2.0.0 < version ≤ 2.0.40"),
        ("which releases of django came out in 2024", ("Django",), "in 2024: 4.2.14, 5.0.7, 5.1 and 5.1.4"),
        ("how many django releases came out last year", ("Django",), "last year: 5.2 and 6.0"),
        ("which django version was released on 2023-04-03", ("Django",), "on 2023-04-03: 4.2"),
        ("what django release came out on April 3, 2023", ("Django",), "on April 3, 2023: 4.2"),
        ("which django release came out on 3 April 2023", ("Django",), "on 3 April 2023: 4.2"),
        ("which django version was released on 2023-04-04", ("Django",), "on 2023-04-04: none"),
        ("which numpy was released in 1999", ("NumPy",), "in 1999: none"),
        ("what came right before django 5.0", ("Django",), "the release before 5.0: 4.2"),
        ("what came after torch 2.9", ("PyTorch",), "the release after 2.9: 2.10"),
        ("which django releases came out last month", ("Django",), "last month: none"),
        ("home assistant in 2024 breaking changes", ("Home Assistant",), "in 2024: 2024.1 and 2024.12"),
        ("difference between django 5.1 and 5.2", ("Django",), "5.1 and 5.2"),
        ("what's the diff between torch 2.8 and 2.9 for onnx", ("PyTorch",), "2.8 and 2.9"),
        ("how does 2.9 differ from 2.8", (), "2.8 and 2.9"),
        ("torch 2.8 compared with 2.9 on arm", ("PyTorch",), "2.8 and 2.9"),
        ("same in django 5.1 and 5.2?", ("Django",), "5.1 and 5.2"),
        ("Ｗｈｅｎ was ｄｊａｎｇｏ ４．２ released", ("Django",), "4.2"),
        ("what date was python 3.13 released", ("Python",), "3.13"),
        ("when's torch 2.13 due", ("PyTorch",), "2.13"),
        ("which is newer, torch 2.9 or 2.10?", ("PyTorch",), "2.9 and 2.10"),
        ("was django 5.0.7 released before 5.1", ("Django",), "5.0.7 and 5.1"),
        ("what was the default before django 6.0", ("Django",), "before 6.0"),
        ("how do i migrate from pydantic v1 to v2", ("pydantic",), "1 < version ≤ 2"),
        ("pytest 8.x vs 9.x collection order", ("pytest",), "8 and 9"),
        ("postgres 15 to 17 upgrade notes", ("PostgreSQL",), "15 < version ≤ 17"),
        ("node 22 vs 20 perf", ("Node.js",), "20 and 22"),
        ("ubuntu 24.04 LTS vs 24.10", ("Ubuntu",), "24.04 and 24.10"),
        ("pydantic V1 shim gone?", ("pydantic",), "1"),
        ("which django versions between 4.2 and 5.2 do you have", ("Django",), "4.2 < version ≤ 5.2"),
        ("is there pip 27?", ("pip",), "27"),
        ("compare requests 2.31 with 2.32", ("requests",), "2.31 and 2.32"),
        ("PyTorch 2.9.0 vs. PyTorch 2.10.0", ("PyTorch",), "2.9.0 and 2.10.0"),
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


def test_a_period_in_january_reaches_into_the_year_before() -> None:
    period = find_period("what changed last month?", today=date(2026, 1, 3))
    assert period is not None
    assert (period.start, period.end) == (date(2025, 12, 1), date(2026, 1, 1))


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


def test_a_product_without_dates_is_not_limited_by_a_period() -> None:
    query = understand("what did requests deprecate in 2024?")
    assert (query.products, query.constraint, query.versions_named_as) == (("requests",), None, "")


def test_a_period_without_releases_is_said_to_have_none() -> None:
    query = understand("which torch releases came out in 2019?")
    assert (query.constraint, versions_of(query)) == (None, "in 2019: none")


def test_a_version_filter_wins_over_a_period() -> None:
    query = parse_query("what changed in 2025?", catalogue=CATALOGUE, product="torch", version="2.9", today=TODAY)
    assert versions_of(query) == "2.9"


def test_the_next_version_of_one_as_long_as_versions_are_is_no_bound() -> None:
    longest = "9" * 18
    assert str(parse_query(f"What changed in ~={longest}.1?").constraint) == f"since {longest}.1"


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
