"""`labelwright judge` and `labelwright estimate`: models as raters, from files of labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelwright.cli.options import JSON, declared_scales, renamed_columns

if TYPE_CHECKING:
    from labelwright.judging import PeopleAndModels

app = typer.Typer(no_args_is_help=True, help="Models as raters: whether one may stand in for a person.")


def register(root: typer.Typer) -> None:
    """Adds `labelwright judge` and `labelwright estimate`."""
    root.add_typer(app, name="judge")
    root.command("estimate")(estimate)


ProbeFile = Annotated[
    Path,
    typer.Argument(
        help="The name of a study on this server, to ask its model; or a file of labels of both forms, as for `compare`."
    ),
]
AlignFile = Annotated[
    Path,
    typer.Argument(
        help="The name of a study on this server, to ask its model; or a file of labels, as for `compare`."
    ),
]
Here = Annotated[
    bool, typer.Option("--here", help="Of a study: ask in the foreground. Can be interrupted and resumed.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Of a study: agree to the cost without being asked.")]
LabelFile = Annotated[
    Path,
    typer.Argument(
        help="Labels of people and models: CSV, JSON Lines or Parquet with item, rater, label and `model` (1 for models), "
        "or an export of a study."
    ),
]
Models = Annotated[
    list[str] | None, typer.Option("--model", help="A rater that is a model. Can be repeated.")
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column", help="The name of a column in this file, e.g. item=dialogue_id. Can be repeated."
    ),
]
Scales = Annotated[
    list[str] | None,
    typer.Option(
        "--scale", help='The labels from worst to best ("poor, fair, good"), or a file; see `agreement`.'
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", help="The column with the dialogue of each item; its items vary together."),
]


@app.command("compare")
def compare(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    file: LabelFile,
    model: Models = None,
    epsilon: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="How far a model may fall behind a person: 0.2 for experts, 0.15 for trained people, 0.1 for a crowd.",
        ),
    ] = 0.1,
    column: Columns = None,
    scale: Scales = None,
    cluster: Cluster = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="People's raters are positions: the stand-in test is refused.")
    ] = False,
    replicates: Annotated[int, typer.Option(min=2, help="Number of bootstrap replicates.")] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    as_json: JSON = False,
) -> None:
    """Compare models with people: agreement with intervals, and whether a model may stand in for a rater.

    The stand-in test leaves out one person after the other, and asks whether the model agrees with the others at least
    as well. A model that wins against half of the people may stand in.
    """
    from labelwright.agreement import Bootstrap
    from labelwright.judging import compare_models

    sides = _sides(file, model, scale, column, positions=positions)
    found = compare_models(sides, epsilon=epsilon, cluster=cluster, bootstrap=Bootstrap(replicates, seed))
    typer.echo(found.json() if as_json else repr(found))


def estimate(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    file: LabelFile,
    model: Models = None,
    random: Annotated[
        bool,
        typer.Option("--random", help="People's items were drawn at random, each with the same probability."),
    ] = False,
    column: Columns = None,
    scale: Scales = None,
    cluster: Cluster = None,
    wanted: Annotated[
        float | None,
        typer.Option(
            "--wanted", min=0, help="The half width of the interval that you want: who is asked next?"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the items to rate next.")] = 0,
    as_json: JSON = False,
) -> None:
    """Estimate scores from few human and many model labels: people only, model only, and combined.

    The combined estimate is valid if chance decided which items people rated: with equal probability (--random), or with
    those in the column `probability`. A column `system` gives a score for each system and all differences.
    """
    import json

    from labelwright.judging import estimate as estimate_scores

    sides = _sides(file, model, scale, column)
    drawn = True if random else None
    tables = [
        table for name in sides.models for table in estimate_scores(sides, name, drawn=drawn, cluster=cluster)
    ]
    if as_json:
        typer.echo(
            json.dumps([record for table in tables for record in table.records()], indent=2, default=str)
        )
    else:
        typer.echo("\n\n".join(map(repr, tables)))
    if wanted is not None:
        _say_next(sides, drawn, cluster, wanted, seed)


def _say_next(
    sides: PeopleAndModels, drawn: bool | None, cluster: str | None, wanted: float, seed: int
) -> None:
    from labelwright.judging import choose_next, gather

    for name in sides.models:
        for where, part in sides.slices():
            choice = choose_next(gather(part, name, drawn=drawn, cluster=cluster), wanted, seed=seed)
            about = ", ".join(str(value) for value in where.values())
            typer.echo(f"\n{name}{f', {about}' if about else ''}: {choice.sentence}", err=True)
            for item in choice.items:
                typer.echo(f"{item.item}\t{item.probability:.4f}", err=True)


def _sides(
    file: Path,
    model: list[str] | None,
    scale: list[str] | None,
    column: list[str] | None,
    *,
    positions: bool = False,
    repeated: bool = False,
) -> PeopleAndModels:
    from dataclasses import replace

    from labelwright.analysis import read_labels
    from labelwright.judging import split_sides

    labels = read_labels(
        file,
        scale=declared_scales(scale),
        columns=renamed_columns(column),
        include=("model",),
        repeated="kept" if repeated else "refused",
    )
    sides = split_sides(labels, model or ())
    return replace(sides, labels=replace(sides.labels, positions=True)) if positions else sides


@app.command("probe")
def probe(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    file: ProbeFile,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="Of a study: `order`, `length`, `scale_position` or `repetition`. Can be repeated; by default all."
        ),
    ] = None,
    variant: Annotated[
        str,
        typer.Option(help="The column that says in which form an item was judged; it has two values."),
    ] = "variant",
    original: Annotated[
        str, typer.Option(help="The value of that column for the unchanged form.")
    ] = "original",
    model: Models = None,
    column: Columns = None,
    scale: Scales = None,
    smallest: Annotated[
        float, typer.Option(min=0.001, help="The bias to look for: points, or a share of answers.")
    ] = 0.1,
    propose: Annotated[
        bool, typer.Option("--propose", help="Only say how many calls find such a bias.")
    ] = False,
    cents_per_call: Annotated[
        float | None, typer.Option(min=0, help="With --propose: what a call costs.")
    ] = None,
    here: Here = False,
    yes: Yes = False,
    as_json: JSON = False,
) -> None:
    """Measure a bias: how much labels change if an item is changed in a respect that should not matter.

    Given the name of a study, its model is asked about both forms, after you have seen the number of requests and their
    cost and agreed to them. `--model` is then the name of its pool.

    A file has each item in both forms, for example a reply and the same reply made longer, or a scale in both orders.
    For the order of two candidates, give labels of the candidate shown first: 1 if it was preferred, 0.5 for a tie.
    People who judged both forms are shown beside the model.
    """
    import json

    from labelwright.judging.probes import propose_calls
    from labelwright.judging.variants import probe_variants

    if _is_study(file):
        from labelwright.cli.model_raters import probe_study

        probe_study(
            file.name, kind, model[0] if model else None, smallest, ask=not propose, here=here, yes=yes
        )
        return
    if propose:
        typer.echo(propose_calls("length", smallest, cents_per_call=cents_per_call).sentence)
        return
    sides = _sides(file, model, scale, column, repeated=True)
    found = [probe_variants(sides, name, variant, original, smallest) for name in sides.models]
    if as_json:
        typer.echo(json.dumps([each.record() for each in found], indent=2, default=str))
        return
    for each in found:
        typer.echo(each.sentence)


@app.command("align")
def align(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    file: AlignFile,
    prompt: Annotated[
        Path, typer.Option(help="The file with the prompt; another text or model is another version.")
    ],
    ledger: Annotated[
        Path,
        typer.Option(help="The file that keeps all versions and their figures; made if it is not there."),
    ] = Path("judge-versions.json"),
    change: Annotated[str, typer.Option(help="What is new in this version, in a few words.")] = "",
    open_held_out: Annotated[
        bool, typer.Option("--open", help="Open the held-out items: once for each version, and recorded.")
    ] = False,
    model: Models = None,
    column: Columns = None,
    scale: Scales = None,
    seed: Annotated[int, typer.Option(help="The seed that divides items; the same for all versions.")] = 0,
    most: Annotated[int, typer.Option(min=0, help="The number of disagreements to show.")] = 20,
    items: Annotated[
        int, typer.Option(min=20, help="Of a study: the number of items to ask about at most.")
    ] = 200,
    here: Here = False,
    yes: Yes = False,
) -> None:
    """Improve a prompt without fooling yourself: disagreements on development items, figures of every version.

    Half of the items are held out by the seed. Their labels are never shown, and their agreement only with --open, once
    for each version of the prompt.

    Given the name of a study, its model is asked with the prompt as its instructions, after you have seen the cost and
    agreed to it. The server keeps the versions, and the seed of the study divides the items.
    """
    if _is_study(file):
        from labelwright.cli.model_raters import align_study

        text = prompt.read_text(encoding="utf-8")
        pool = model[0] if model else None
        align_study(file.name, text, change, pool, items, most, opening=open_held_out, here=here, yes=yes)
        return
    from datetime import UTC, datetime

    from labelwright.agreement import Bootstrap
    from labelwright.judging.alignment import version_hash
    from labelwright.judging.ledger import PromptLedger, agreement_on, disagreements, divide

    sides = _sides(file, model, scale, column)
    name = sides.chosen(model[0] if model else None)
    kept, division, bootstrap = PromptLedger.read(ledger, seed), divide(sides, seed), Bootstrap(1000, seed)
    digest = version_hash(prompt.read_text(encoding="utf-8"), name, "")
    kept, version = kept.declared(change, digest)
    kept = kept.measured(version.number, agreement_on(sides, name, division.development, bootstrap))
    if open_held_out:
        figure = agreement_on(sides, name, division.held_out, bootstrap)
        kept = kept.opened(version.number, figure, f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC")
    kept.write(ledger)
    differing = disagreements(sides, name, division.development)
    typer.echo(
        f"Version {version.number}: {len(differing):,} of {len(division.development):,} development items differ."
    )
    for each in differing[:most]:
        typer.echo(f"{each.item}: people {', '.join(map(str, each.people))}; model {each.model}")
    typer.echo("\n".join(kept.lines()))


def _is_study(given: Path) -> bool:
    """Whether an argument is the name of a study: names have no dots, and files of labels have an ending."""
    return not given.exists() and not given.suffix and given.name == str(given)
