"""Files of an export: each format gives back what was written, and no cell runs as a formula."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelwright.release import Column, Format, formats, write_rows

COLUMNS = (
    Column("rater", pa.string(), "pseudonym"),
    Column("seconds", pa.float64(), "time on the task"),
    Column("answer", pa.string(), "what was answered"),
    Column("at", pa.timestamp("us", tz="UTC"), "when it was submitted"),
)
AT = datetime(2024, 2, 29, 23, 59, 59, 250_000, tzinfo=UTC)
ROWS: list[dict[str, Any]] = [
    {"rater": "rabc", "seconds": 2.5, "answer": {"useful": 3, "why": "naïve, “so-so”"}, "at": AT, "more": 1},
    {"rater": "rdef", "seconds": None, "answer": 'two\nlines, a comma and "quotes"', "at": AT, "more": 2},
    {"rater": "rghi", "seconds": -1.0, "answer": ["a", "b"], "at": None, "more": 3},
]


def _written(tmp_path: Path, form: Format) -> Path:
    path = tmp_path / f"answers.{form}"
    assert write_rows(path, form, COLUMNS, ROWS) == 3
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    return path


def test_jsonl_is_read_back_by_pandas(tmp_path: Path) -> None:
    path = _written(tmp_path, Format.JSONL)
    found = pd.read_json(path, lines=True, dtype=False)
    # Only the declared columns are written, in their order.
    assert list(found.columns) == ["rater", "seconds", "answer", "at"]
    assert list(found["answer"]) == [row["answer"] for row in ROWS]
    assert found["seconds"].tolist()[0::2] == [2.5, -1.0]
    assert found["seconds"].isna().tolist() == [False, True, False]
    assert datetime.fromisoformat(found["at"][0]) == AT
    # Letters stay letters, so that a person can read the file.
    assert "naïve, “so-so”" in path.read_text(encoding="utf-8")


def test_csv_is_read_back_by_pandas(tmp_path: Path) -> None:
    path = _written(tmp_path, Format.CSV)
    found = pd.read_csv(path)
    assert list(found.columns) == ["rater", "seconds", "answer", "at"]
    assert json.loads(found["answer"][0]) == ROWS[0]["answer"]
    assert found["answer"][1] == ROWS[1]["answer"]
    assert json.loads(found["answer"][2]) == ["a", "b"]
    assert found["seconds"].isna().tolist() == [False, True, False]
    assert datetime.fromisoformat(found["at"][1]) == AT
    assert "naïve, “so-so”" in path.read_text(encoding="utf-8")


def test_parquet_is_read_back_by_pyarrow(tmp_path: Path) -> None:
    found = pq.read_table(_written(tmp_path, Format.PARQUET))
    assert found.schema.field("seconds").metadata == {b"about": b"time on the task"}
    assert found.schema.types == [column.type for column in COLUMNS]
    rows = found.to_pylist()
    assert [row["at"] for row in rows] == [AT, AT, None]
    assert [row["seconds"] for row in rows] == [2.5, None, -1.0]
    assert rows[0]["answer"] == json.dumps(ROWS[0]["answer"], ensure_ascii=False)
    assert rows[1]["answer"] == ROWS[1]["answer"]
    assert json.loads(rows[2]["answer"]) == ["a", "b"]


def test_parquet_is_written_in_several_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "AT_ONCE", 2)
    path = _written(tmp_path, Format.PARQUET)
    # Three rows, two at once: groups of two and one.
    metadata = pq.read_metadata(path)
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [2, 1]


@pytest.mark.parametrize("form", Format)
def test_no_rows_make_a_file_without_rows(tmp_path: Path, form: Format) -> None:
    path = tmp_path / f"empty.{form}"
    assert write_rows(path, form, COLUMNS, []) == 0
    if form is Format.PARQUET:
        assert pq.read_table(path).column_names == ["rater", "seconds", "answer", "at"]
    else:
        assert path.read_bytes() == (b"rater,seconds,answer,at\r\n" if form is Format.CSV else b"")


@pytest.mark.parametrize("form", Format)
def test_a_file_that_breaks_off_leaves_the_one_before_it(tmp_path: Path, form: Format) -> None:
    path = tmp_path / f"answers.{form}"
    path.write_text("what was there")

    def broken() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        write_rows(path, form, COLUMNS, broken())
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(path.name, "what was there")]


# The first characters are those of OWASP's page on CSV injection: = + - @, tab and carriage return.
@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "  =1+1",
        "\tx",
        "\rx",
        "\u00a0=1",
        "＝1+1",
        "＋1",
        "－1",
        "＠A",
        "\ufeff=1",
    ],
)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path: Path, text: str) -> None:
    row = {"rater": "r", "seconds": -3.0, "answer": text, "at": None}
    write_rows(tmp_path / "a.csv", Format.CSV, COLUMNS, [row])
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        content = file.read()
    assert f"'{text}" in content
    # A negative number is a number and stays one.
    assert ",-3.0," in content


# Signs in full width run as formulas too: https://owasp.org/www-community/attacks/CSV_Injection
@pytest.mark.parametrize("sign", list("=+-@＝＋－＠"))
@pytest.mark.parametrize("before", ["a;", "a; ", "a\t", "a\r", "a\n", "\n", "a\r\n ", '"a";'])
def test_no_part_of_a_cell_runs_where_lines_are_split_at_semicolons(
    tmp_path: Path, before: str, sign: str
) -> None:
    text = f"{before}{sign}1+1"
    for answer in (text, {"said": text}):
        row = {"rater": "r", "seconds": 1.0, "answer": answer, "at": None}
        write_rows(tmp_path / "a.csv", Format.CSV, COLUMNS, [row])
        content = (tmp_path / "a.csv").read_bytes().decode()
        # A spreadsheet that takes other separators than commas does not know our quotes either.
        assert not [part for part in re.split("[;\t\r\n]", content) if part.strip()[:1] == sign]
    (read,) = pd.read_csv(tmp_path / "a.csv")["answer"]
    assert json.loads(read) == {"said": text}


def test_one_function_makes_every_cell_of_a_csv_file() -> None:
    source = Path(formats.__file__).parents[1]
    writers = [
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)|to_csv|write_csv|FORMAT CSV", file.read_text())
    ]
    assert writers == ["release/formats.py"]


@pytest.mark.parametrize("text", ["", " ", "a=1", "x\ty", "3-4", "mail@example.org", "'quoted'"])
def test_other_text_stays_as_it_is(tmp_path: Path, text: str) -> None:
    row = {"rater": "r", "seconds": 1.0, "answer": text, "at": None}
    write_rows(tmp_path / "a.csv", Format.CSV, COLUMNS, [row])
    assert pd.read_csv(tmp_path / "a.csv", keep_default_na=False)["answer"][0] == text


@pytest.mark.parametrize("form", [Format.JSONL, Format.PARQUET])
@pytest.mark.parametrize(
    "text", ["=1+1", "bell\x07", "escape\x1b[31m", "line\u2028separator", "nul\x00", "\ufeff"]
)
def test_formats_that_no_spreadsheet_opens_keep_text_exactly(tmp_path: Path, form: Format, text: str) -> None:
    path = tmp_path / f"a.{form}"
    write_rows(path, form, COLUMNS, [{"rater": "r", "seconds": 1.0, "answer": text, "at": None}])
    if form is Format.PARQUET:
        assert pq.read_table(path)["answer"].to_pylist() == [text]
    else:
        # One row is one line, whatever characters it holds.
        with path.open("rb") as file:
            assert [json.loads(line)["answer"] for line in file] == [text]
