"""`labelwright corpus`: import logs, look at them, classify them and draw a sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelwright.errors import LabelwrightError

if TYPE_CHECKING:
    from labelwright.corpus import BadRecord, CorpusPart, Dialogue, OnError, Statistics
    from labelwright.study import Study
    from labelwright.tables import Table

corpus = typer.Typer(no_args_is_help=True, help="Import logs, look at them, classify them, draw a sample.")

Engine = Annotated[
    str, typer.Option(help="Where it runs: duckdb (this machine), spark, or the address of a warehouse.")
]
Turns = Annotated[
    Path,
    typer.Argument(help="The turns table: a Parquet file or folder, or the name of a table of the engine."),
]
MOST_TOLD = 20


class NoCategories(LabelwrightError):
    """The study has no rules to classify by."""

    code = "no_categories"


class NoTurnsTable(LabelwrightError):
    """A file or table that is something else than a turns table."""

    code = "no_turns_table"


class BadOption(LabelwrightError):
    """An option of a command that cannot be understood."""

    code = "bad_option"


def register(app: typer.Typer) -> None:
    """Adds `labelwright corpus`."""
    app.add_typer(corpus, name="corpus")


@corpus.command("import")
def import_(
    source: Annotated[str, typer.Argument(help="A study file, a log, or the address of a database.")],
    to: Annotated[Path, typer.Option(help="Folder for turns.parquet and dialogues.parquet.")] = Path(
        "corpus"
    ),
    reader: Annotated[
        str | None, typer.Option(help="How the log is read; `labelwright corpus readers`.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="name=value for the reader.")] = None,
    table: Annotated[str | None, typer.Option(help="Table of a database, with one turn a row.")] = None,
    warehouse: Annotated[
        str | None, typer.Option(help="Write the turns table here too: spark, or the address of a database.")
    ] = None,
    name: Annotated[str, typer.Option(help="Its name in the warehouse.")] = "turns",
    on_error: Annotated[str, typer.Option(help="At a bad record: stop, or skip it and go on.")] = "stop",
) -> None:
    """Read a log and write its normalised turns table."""
    from labelwright.corpus import OnError, write_turns

    left_out: list[BadRecord] = []
    try:
        mode = OnError(on_error)
    except ValueError:
        raise BadOption(f'--on-error is "{on_error}".', expected="stop or skip.") from None
    if table is not None:
        dialogues = _from_database(source, table, _options(option), mode, left_out)
    else:
        part, folder = _part(Path(source), reader, _options(option))
        dialogues = _from_log(part, folder, mode, left_out)
    written = write_turns(_counted(dialogues), to)
    _tell_left_out(left_out, written.dialogues)
    typer.echo(f"{written.dialogues:,} dialogues with {written.turns:,} turns in {written.turns_file}.")
    if warehouse is not None:
        from labelwright.outside.engines import connect
        from labelwright.tables import store_parquet

        store_parquet(connect(warehouse), written.turns_file, name)
        typer.echo(f'The turns table is "{name}" there.')


@corpus.command()
def readers() -> None:
    """List the readers of logs."""
    from labelwright.corpus import READERS

    for name, found in READERS.items():
        typer.echo(f"{name:15} {found.what}")


@corpus.command()
def stats(
    turns: Turns,
    chart: Annotated[Path | None, typer.Option(help="Write a chart: .svg, .png, .pdf or .html.")] = None,
    engine: Engine = "duckdb",
) -> None:
    """Count dialogues, turns and words, by speaker and by system."""
    from labelwright.charts import save
    from labelwright.corpus import measure_corpus
    from labelwright.corpus.charts import length_chart

    found = measure_corpus(_read(turns, engine))
    _tell_statistics(found)
    if chart is not None:
        save(length_chart(found), chart)
        typer.echo(f"Chart in {chart}.")


@corpus.command()
def classify(
    study: Annotated[Path, typer.Argument(help="A study file with categories.")],
    turns: Annotated[Path | None, typer.Option(help="The turns table; else the study's log is read.")] = None,
    chart: Annotated[Path | None, typer.Option(help="Write a chart: .svg, .png, .pdf or .html.")] = None,
    examples: Annotated[int, typer.Option(help="Examples of each rule.")] = 2,
    to: Annotated[Path | None, typer.Option(help="Write the category of each dialogue as Parquet.")] = None,
    engine: Engine = "duckdb",
) -> None:
    """Count the dialogues of each category and show examples of each rule."""
    from labelwright.charts import save
    from labelwright.corpus import classify as classify_turns
    from labelwright.corpus.charts import category_chart
    from labelwright.corpus.statistics import category_counts
    from labelwright.tables import fetch

    loaded, table = _study_and_turns(study, turns, engine)
    part = loaded.corpus.categories
    if part is None:
        raise NoCategories(
            "the study has no categories.", where=study.name, do="Add `categories` to `corpus`."
        )
    classified = classify_turns(table, part)
    counts = category_counts(classified, part.names)
    _tell_counts(counts)
    _tell_examples(table, classified, part, examples)
    if chart is not None:
        save(category_chart(counts), chart)
        typer.echo(f"Chart in {chart}.")
    if to is not None:
        import pyarrow.parquet as pq

        pq.write_table(fetch(classified), to)
        typer.echo(f"Categories in {to}.")


@corpus.command()
def sample(
    study: Annotated[Path, typer.Argument(help="A study file; its `corpus` says what is drawn.")],
    turns: Turns,
    to: Annotated[Path, typer.Option(help="Folder for the turns of the dialogues drawn.")] = Path("sample"),
    engine: Engine = "duckdb",
) -> None:
    """Split, classify and sample a turns table as the study says; only what is drawn is written."""
    import pyarrow.parquet as pq

    from labelwright.corpus import draw_turns
    from labelwright.study import read_study
    from labelwright.tables import fetch

    loaded, _ = read_study(study)
    parted, drawn = draw_turns(_read(turns, engine), loaded.corpus, loaded.seed)
    kept = [name for name in ("dialogue", "category", "rank") if name in drawn.columns]
    drawn = drawn.select(*kept)
    to.mkdir(parents=True, exist_ok=True)
    rows = fetch(
        parted.inner_join(drawn, "dialogue").order_by(["rank", "position"] if "rank" in kept else [])
    )
    pq.write_table(rows, to / "turns.parquet")
    count = len(set(rows["dialogue"].to_pylist()))
    typer.echo(f"{count:,} dialogues drawn with the seed {loaded.seed}, in {to / 'turns.parquet'}.")


def _part(source: Path, reader: str | None, options: dict[str, Any]) -> tuple[CorpusPart, Path]:
    from pydantic import ValidationError

    from labelwright.corpus import CorpusPart
    from labelwright.study import read_study

    if source.suffix in (".yaml", ".yml"):
        return read_study(source)[0].corpus, source.parent
    if reader is None:
        raise BadOption(
            "no reader is named.", expected="--reader NAME.", do="See `labelwright corpus readers`."
        )
    try:
        return CorpusPart(reader=reader, path=source.name, options=options), source.parent
    except ValidationError as invalid:
        reasons = "; ".join(str(error["msg"]).removeprefix("Value error, ") for error in invalid.errors())
        raise BadOption(f"{reasons}.") from None


def _options(given: list[str] | None) -> dict[str, Any]:
    import yaml

    options: dict[str, Any] = {}
    for entry in given or []:
        name, sign, value = entry.partition("=")
        if not sign:
            raise BadOption(f'--option is "{entry}".', expected="name=value.")
        options[name] = yaml.safe_load(value)
    return options


def _from_log(
    part: CorpusPart, folder: Path, on_error: OnError, left_out: list[BadRecord]
) -> Iterator[Dialogue]:
    from labelwright.corpus import iterate_dialogues

    return iterate_dialogues(part, folder, on_error, left_out)


def _from_database(
    address: str, table: str, options: dict[str, Any], on_error: OnError, left_out: list[BadRecord]
) -> Iterator[Dialogue]:
    from labelwright.corpus import BadRecord, OnError
    from labelwright.outside.engines import read_table_dialogues

    for record in read_table_dialogues(address, table, options):
        if not isinstance(record, BadRecord):
            yield record
        elif on_error is OnError.STOP:
            raise record
        else:
            left_out.append(record)


def _counted(dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
    """The dialogues, with a count that grows on a terminal and nowhere else."""
    import sys

    from rich.progress import Progress, TextColumn

    columns = (TextColumn("{task.completed:,.0f} dialogues"),)
    with Progress(*columns, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("read", total=None)
        for dialogue in dialogues:
            progress.advance(task)
            yield dialogue


def _read(turns: Path, engine: str) -> Table:
    from labelwright.corpus.turns_table import TURNS
    from labelwright.outside.engines import connect
    from labelwright.tables import read, table_of

    connected = connect(engine)
    from_engine = connected is not None and not turns.exists()
    found = table_of(connected, str(turns)) if from_engine else read(turns, connected)
    missing = [name for name in TURNS.names if name not in found.columns]
    if missing:
        raise NoTurnsTable(
            f"this is no turns table: it has no column {missing[0]!r}.",
            where=str(turns),
            do="`labelwright corpus import` makes one of a log.",
        )
    return found


def _study_and_turns(study: Path, turns: Path | None, engine: str) -> tuple[Study, Table]:
    from labelwright.corpus import read_dialogues, turns_of
    from labelwright.study import read_study
    from labelwright.tables import read

    loaded, _ = read_study(study)
    if turns is not None:
        return loaded, _read(turns, engine)
    dialogues, _ = read_dialogues(loaded.corpus, study.parent)
    return loaded, read(turns_of(dialogues))


def _tell_left_out(left_out: list[BadRecord], kept: int) -> None:
    for bad in left_out[:MOST_TOLD]:
        typer.echo(str(bad), err=True)
    if len(left_out) > MOST_TOLD:
        typer.echo(f"... and {len(left_out) - MOST_TOLD:,} more.", err=True)
    if left_out:
        typer.echo(
            f"{len(left_out):,} of {kept + len(left_out):,} records left out; "
            "`--on-error stop` makes this an error.",
            err=True,
        )


def _tell_statistics(found: Statistics) -> None:
    per = found.turns_per_dialogue
    typer.echo(f"{found.dialogues:,} dialogues, {found.turns:,} turns")
    typer.echo(f"turns in a dialogue: mean {per.mean:.1f}, median {per.median:g}, most {per.largest:,}")
    for title, groups in (("speaker", found.words_by_speaker), ("system", found.words_by_system)):
        for name, spread in groups.items():
            typer.echo(
                f"{title} {name or '(none)'}: {spread.count:,} turns; words in a turn: "
                f"mean {spread.mean:.1f}, median {spread.median:g}, most {spread.largest:,}"
            )


def _tell_counts(counts: dict[str, int]) -> None:
    total = sum(counts.values())
    width = max(len(name) for name in counts)
    most = max(counts.values(), default=0)
    for name, n in counts.items():
        bar = "█" * round(30 * n / most) if most else ""
        typer.echo(f"{name:{width}}  {n:8,}  {n / total if total else 0:4.0%}  {bar}")
    typer.echo(f"{'all':{width}}  {total:8,}")


def _tell_examples(turns: Table, classified: Table, part: Any, each: int) -> None:
    from labelwright.corpus.statistics import examples

    if each < 1:
        return
    for several in (False, True):
        typer.echo("\nWhere several rules fit:" if several else "\nExamples of each rule:")
        for found in examples(turns, classified, each, several):
            rule = part.rules[found.rule].category if found.rule >= 0 else part.otherwise
            cue = "no cue"
            if found.position is not None:
                cue = f"turn {found.position + 1}, {found.speaker}: {_short(found.text)}"
            others = f" ({found.fits} rules fit)" if found.fits > 1 else ""
            typer.echo(f"  {found.rule + 1 or '-':>2} {rule}: {found.dialogue}{others}: {cue}")


def _short(text: str | None, most: int = 100) -> str:
    flat = " ".join((text or "").split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
