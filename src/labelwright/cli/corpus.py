"""`labelwright corpus`: import, inspect, classify and sample logs."""

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

corpus = typer.Typer(no_args_is_help=True, help="Import, inspect, classify and sample logs.")

Engine = Annotated[
    str,
    typer.Option(
        help="Engine: duckdb (this machine), spark, a Spark master (spark://host:7077), or the URL of a warehouse."
    ),
]
Turns = Annotated[
    str,
    typer.Argument(
        help="The turns table: a Parquet file or folder, its address (s3a://...), or the name of a table in the engine."
    ),
]
MOST_PRINTED = 20


class NoCategories(LabelwrightError):
    """The study has no category rules."""

    code = "no_categories"


class NoTurnsTable(LabelwrightError):
    """A file or table that is not a turns table."""

    code = "no_turns_table"


class BadOption(LabelwrightError):
    """An option with an invalid value."""

    code = "bad_option"


def register(app: typer.Typer) -> None:
    """Adds `labelwright corpus`."""
    app.add_typer(corpus, name="corpus")


@corpus.command("import")
def import_(
    source: Annotated[str, typer.Argument(help="A study file, a log, or the URL of a database.")],
    to: Annotated[Path, typer.Option(help="Folder for turns.parquet and dialogues.parquet.")] = Path(
        "corpus"
    ),
    reader: Annotated[
        str | None, typer.Option(help="Reader for the log; `labelwright corpus readers` lists them.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Option for the reader, as name=value. Can be repeated.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Table of the database, with one turn per row.")] = None,
    warehouse: Annotated[
        str | None, typer.Option(help="Also store the turns table here: spark, or the URL of a database.")
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the table in the warehouse.")] = "turns",
    on_error: Annotated[str, typer.Option(help="What to do with invalid records: stop or skip.")] = "stop",
) -> None:
    """Read a log and write it as a turns table."""
    from labelwright.corpus import OnError, iterate_dialogues, write_turns

    left_out: list[BadRecord] = []
    try:
        mode = OnError(on_error)
    except ValueError:
        raise BadOption(f'--on-error has the value "{on_error}".', expected="stop or skip.") from None
    if table is not None:
        dialogues = _from_database(source, table, _options(option), mode, left_out)
    else:
        part, folder, root = _part(Path(source), reader, _options(option))
        dialogues = iterate_dialogues(part, folder, mode, left_out, root)
    written = write_turns(_counted(dialogues), to)
    _print_left_out(left_out, written.dialogues)
    typer.echo(f"Wrote {written.dialogues:,} dialogues with {written.turns:,} turns to {written.turns_file}.")
    if warehouse is not None:
        from labelwright.outside.engines import connect
        from labelwright.tables import store_parquet

        store_parquet(connect(warehouse), written.turns_file, name)
        typer.echo(f'Stored the turns table as "{name}" in the warehouse.')


@corpus.command()
def readers() -> None:
    """List the available readers."""
    from labelwright.corpus import READERS

    for name, found in READERS.items():
        typer.echo(f"{name:15} {found.what}")


@corpus.command()
def stats(
    turns: Turns,
    chart: Annotated[
        Path | None, typer.Option(help="Save a chart to this .svg, .png, .pdf or .html file.")
    ] = None,
    engine: Engine = "duckdb",
) -> None:
    """Count dialogues, turns and words, by speaker and by system."""
    from labelwright.charts import save
    from labelwright.corpus import measure_corpus
    from labelwright.corpus.charts import length_chart

    found = measure_corpus(_read(turns, engine))
    _print_statistics(found)
    if chart is not None:
        save(length_chart(found), chart)
        typer.echo(f"Wrote the chart to {chart}.")


@corpus.command()
def classify(
    study: Annotated[Path, typer.Argument(help="A study file with categories.")],
    turns: Annotated[str | None, typer.Option(help="The turns table. Default: read the study's log.")] = None,
    chart: Annotated[
        Path | None, typer.Option(help="Save a chart to this .svg, .png, .pdf or .html file.")
    ] = None,
    examples: Annotated[int, typer.Option(help="Number of examples per rule.")] = 2,
    to: Annotated[
        Path | None, typer.Option(help="Write the category of each dialogue to this Parquet file.")
    ] = None,
    engine: Engine = "duckdb",
) -> None:
    """Count the dialogues in each category and show examples for each rule."""
    from labelwright.charts import save
    from labelwright.corpus import classify as classify_turns
    from labelwright.corpus.charts import category_chart
    from labelwright.corpus.statistics import category_counts
    from labelwright.tables import fetch

    loaded, table = _study_and_turns(study, turns, engine)
    part = loaded.corpus.categories
    if part is None:
        raise NoCategories(
            "the study has no categories.",
            where=study.name,
            do="Add `categories` to `corpus` in the study file.",
        )
    classified = classify_turns(table, part)
    counts = category_counts(classified, part.names)
    _print_counts(counts)
    _print_examples(table, classified, part, examples)
    if chart is not None:
        save(category_chart(counts), chart)
        typer.echo(f"Wrote the chart to {chart}.")
    if to is not None:
        import pyarrow.parquet as pq

        pq.write_table(fetch(classified), to)
        typer.echo(f"Wrote the categories to {to}.")


@corpus.command()
def sample(
    study: Annotated[Path, typer.Argument(help="A study file; its `corpus` part defines the sample.")],
    turns: Turns,
    to: Annotated[Path, typer.Option(help="Folder for the turns of the sampled dialogues.")] = Path("sample"),
    engine: Engine = "duckdb",
) -> None:
    """Split, classify and sample a turns table as defined in the study, and write the sample."""
    import pyarrow.parquet as pq

    from labelwright.corpus import draw_turns
    from labelwright.corpus.dialogues import SAMPLE_WEIGHT
    from labelwright.study import read_study
    from labelwright.tables import fetch

    loaded, _ = read_study(study)
    parted, drawn = draw_turns(_read(turns, engine), loaded.corpus, loaded.seed)
    kept = [name for name in ("dialogue", "category", "rank", SAMPLE_WEIGHT) if name in drawn.columns]
    drawn = drawn.select(*kept)
    to.mkdir(parents=True, exist_ok=True)
    rows = fetch(
        parted.inner_join(drawn, "dialogue").order_by(["rank", "position"] if "rank" in kept else [])
    )
    pq.write_table(rows, to / "turns.parquet")
    count = len(set(rows["dialogue"].to_pylist()))
    typer.echo(f"Wrote {count:,} dialogues, drawn with seed {loaded.seed}, to {to / 'turns.parquet'}.")


def _part(source: Path, reader: str | None, options: dict[str, Any]) -> tuple[CorpusPart, Path, Path | None]:
    """The corpus, the folder that its path is relative to, and where it may lie: anywhere, unless a study file names it."""
    from pydantic import ValidationError

    from labelwright.corpus import CorpusPart
    from labelwright.study import read_study

    if source.suffix in (".yaml", ".yml"):
        return read_study(source)[0].corpus, source.parent, None
    if reader is None:
        raise BadOption(
            "the log needs a reader.",
            expected="--reader NAME.",
            do="`labelwright corpus readers` lists them.",
        )
    try:
        return CorpusPart(reader=reader, path=source.name, options=options), source.parent, Path("/")
    except ValidationError as invalid:
        reasons = "; ".join(str(error["msg"]).removeprefix("Value error, ") for error in invalid.errors())
        raise BadOption(f"{reasons}.") from None


def _options(given: list[str] | None) -> dict[str, Any]:
    import yaml

    options: dict[str, Any] = {}
    for entry in given or []:
        name, sign, value = entry.partition("=")
        if not sign:
            raise BadOption(f'--option has the value "{entry}".', expected="name=value.")
        options[name] = yaml.safe_load(value)
    return options


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
    """The dialogues, with a counter if the output is a terminal."""
    import sys

    from rich.progress import Progress, TextColumn

    columns = (TextColumn("{task.completed:,.0f} dialogues"),)
    with Progress(*columns, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("read", total=None)
        for dialogue in dialogues:
            progress.advance(task)
            yield dialogue


def _read(turns: str, engine: str) -> Table:
    from labelwright.corpus.turns_table import TURNS
    from labelwright.outside.engines import connect
    from labelwright.tables import read, table_of

    connected = connect(engine)
    from_engine = connected is not None and "://" not in turns and not Path(turns).exists()
    found = table_of(connected, turns) if from_engine else read(turns, connected)
    missing = [name for name in TURNS.names if name not in found.columns]
    if missing:
        raise NoTurnsTable(
            f"this is not a turns table: the column {missing[0]!r} is missing.",
            where=turns,
            do="Create a turns table with `labelwright corpus import`.",
        )
    return found


def _study_and_turns(study: Path, turns: str | None, engine: str) -> tuple[Study, Table]:
    from labelwright.corpus import read_dialogues, turns_of
    from labelwright.study import read_study
    from labelwright.tables import read

    loaded, _ = read_study(study)
    if turns is not None:
        return loaded, _read(turns, engine)
    dialogues, _ = read_dialogues(loaded.corpus, study.parent)
    return loaded, read(turns_of(dialogues))


def _print_left_out(left_out: list[BadRecord], kept: int) -> None:
    for bad in left_out[:MOST_PRINTED]:
        typer.echo(str(bad), err=True)
    if len(left_out) > MOST_PRINTED:
        typer.echo(f"... and {len(left_out) - MOST_PRINTED:,} more.", err=True)
    if left_out:
        typer.echo(
            f"{len(left_out):,} of {kept + len(left_out):,} records left out; "
            "use `--on-error stop` to stop at invalid records.",
            err=True,
        )


def _print_statistics(found: Statistics) -> None:
    per = found.turns_per_dialogue
    typer.echo(f"{found.dialogues:,} dialogues, {found.turns:,} turns")
    typer.echo(f"turns per dialogue: mean {per.mean:.1f}, median {per.median:g}, maximum {per.largest:,}")
    for title, groups in (("speaker", found.words_by_speaker), ("system", found.words_by_system)):
        for name, spread in groups.items():
            typer.echo(
                f"{title} {name or '(none)'}: {spread.count:,} turns; words per turn: "
                f"mean {spread.mean:.1f}, median {spread.median:g}, maximum {spread.largest:,}"
            )


def _print_counts(counts: dict[str, int]) -> None:
    total = sum(counts.values())
    width = max(len(name) for name in counts)
    most = max(counts.values(), default=0)
    for name, n in counts.items():
        bar = "█" * round(30 * n / most) if most else ""
        typer.echo(f"{name:{width}}  {n:8,}  {n / total if total else 0:4.0%}  {bar}")
    typer.echo(f"{'all':{width}}  {total:8,}")


def _print_examples(turns: Table, classified: Table, part: Any, each: int) -> None:
    from labelwright.corpus.statistics import examples

    if each < 1:
        return
    for several in (False, True):
        typer.echo("\nDialogues that match several rules:" if several else "\nExamples of each rule:")
        for found in examples(turns, classified, each, several):
            rule = part.rules[found.rule].category if found.rule >= 0 else part.otherwise
            cue = "no cue"
            if found.position is not None:
                cue = f"turn {found.position + 1}, {found.speaker}: {_short(found.text)}"
            others = f" (matches {found.fits} rules)" if found.fits > 1 else ""
            typer.echo(f"  {found.rule + 1 or '-':>2} {rule}: {found.dialogue}{others}: {cue}")


def _short(text: str | None, most: int = 100) -> str:
    flat = " ".join((text or "").split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
