"""Imports the record of a release as a study, on an installation that does not have it.

The ids of the record are shifted into free ranges, as when a study is copied; see `moving`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import psycopg
from django.db import connection, transaction

from labelwright.crowd import StudyState
from labelwright.errors import LabelwrightError
from labelwright.release.checksums import check_sums
from labelwright.server.access.actions.audit import log_change
from labelwright.server.operations.moving import Shifts, shifted, take_ids
from labelwright.server.releasing.actions.record import FOLDER, FORMAT, MANIFEST
from labelwright.server.releasing.queries.publication import PUBLISHED, REPLACED
from labelwright.server.store.changes import note_change, note_changed_tasks
from labelwright.server.store.models import Person, StudyRow, User
from labelwright.server.store.study_tables import StudyTable, study_tables
from labelwright.study import check_study

_STATES = (StudyState.CLOSED, StudyState.ARCHIVED)


class BadRelease(LabelwrightError):
    """A folder that is no release, or one that was changed."""

    code: ClassVar[str] = "bad_release"


def import_release(folder: Path, owner: User | None, who: str, now: datetime) -> StudyRow:
    """The study of a release, closed, with everything that its report is made from; raises BadRelease.

    Nobody can go on to rate in it: the raters have pseudonyms and no links. The worker counts its items and raters.
    """
    manifest = _read_manifest(folder)
    check_sums(folder)
    _check_free(manifest["study"])
    connection.ensure_connection()
    # Committed before the rest, so that nobody waits for an id; an interrupted import only leaves a gap.
    shifts = _reserve(connection.connection, manifest["tables"])
    return _import(folder, manifest, shifts, owner, who, now)


@transaction.atomic
def _import(
    folder: Path, manifest: Mapping[str, Any], shifts: Shifts, owner: User | None, who: str, now: datetime
) -> StudyRow:
    study = _create(manifest["study"], owner)
    target: psycopg.Connection[Any] = connection.connection
    for table in study_tables():
        if table.name in PUBLISHED:
            _load(target, table, folder / FOLDER / f"{table.name}.jsonl", study.pk, shifts)
    _check_versions(study)
    note_change(study.pk)
    note_changed_tasks(study.pk)
    log_change(study.pk, who, "import_study", study.name, now, after={"release": manifest["labelwright"]})
    return study


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / FOLDER / MANIFEST
    if not path.is_file():
        raise BadRelease(
            "this folder is not a release.", where=str(folder), expected=f"a folder with {FOLDER}/{MANIFEST}."
        )
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if manifest.get("format") != FORMAT or set(manifest["tables"]) - set(PUBLISHED):
        raise BadRelease(
            f"the release was made by Labelwright {manifest.get('labelwright')}, which this one cannot read.",
            where=str(folder),
            do="Update Labelwright, and import it again.",
        )
    return manifest


def _check_free(facts: Mapping[str, str]) -> None:
    name, public_id = facts["name"], facts["public_id"]
    if StudyRow.objects.filter(name=name).exists() or StudyRow.objects.filter(public_id=public_id).exists():
        raise BadRelease(
            f'this installation already has the study "{name}".',
            do="Delete it first, or import the release into another installation.",
        )


def _create(facts: Mapping[str, str], owner: User | None) -> StudyRow:
    state = StudyState(facts["state"])
    return StudyRow.objects.create(
        name=facts["name"],
        title=facts["title"],
        public_id=facts["public_id"],
        created_at=datetime.fromisoformat(facts["created_at"]),
        state=state if state in _STATES else StudyState.CLOSED,
        owner=owner,
    )


def _reserve(target: psycopg.Connection[Any], tables: Mapping[str, Any]) -> Shifts:
    ranges = {name: facts["ids"] for name, facts in tables.items() if facts["ids"]}
    return {
        name: take_ids(target, name, int(last) - int(first) + 1) - int(first)
        for name, (first, last) in ranges.items()
    }


def _load(target: psycopg.Connection[Any], table: StudyTable, path: Path, study: int, shifts: Shifts) -> None:
    """Reads the lines into a temporary table, and inserts them with shifted ids."""
    present = {"study_id", *json.loads(next(_lines(path), "{}"))}
    # A release of an earlier Labelwright lacks columns, which get their default.
    listed = [
        column
        for column in (*PUBLISHED[table.name], *REPLACED.get(table.name, {}), "study_id")
        if column in present
    ]
    # No people come with a release.
    columns = [column for column in listed if table.keys.get(column) != Person._meta.db_table]
    named = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(shifted(table, column, study, shifts) for column in columns)
    target.execute("CREATE TEMPORARY TABLE imported (line jsonb) ON COMMIT DROP")
    with target.cursor().copy("COPY imported FROM STDIN") as stored:
        for line in _lines(path):
            stored.write_row([line])
    target.execute(
        f"""INSERT INTO "{table.name}" ({named}) SELECT {values}
            FROM imported, LATERAL jsonb_populate_record(NULL::"{table.name}", line) r""".encode()
    )
    target.execute("DROP TABLE imported")


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n")


def _check_versions(study: StudyRow) -> None:
    for version in study.versions.order_by("n"):
        _, mistakes = check_study(version.text)
        if mistakes:
            raise BadRelease(
                f"the study file of version {version.n} has a mistake: {mistakes[0]}",
                do="Update Labelwright, and import the release again.",
            )
