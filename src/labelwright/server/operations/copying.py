"""Reads a loaded study from an installation's database without setting up Django, to rehearse it in another one."""

from __future__ import annotations

import psycopg

from labelwright.corpus import Dialogue
from labelwright.corpus.dialogue_lines import dialogue_of
from labelwright.crowd import PlaceState
from labelwright.errors import LabelwrightError
from labelwright.server.config.startup import away


def read_loaded(database_url: str, name: str) -> tuple[str, list[Dialogue]]:
    """The study file of the newest version of a study, and the dialogues of its items."""
    try:
        connection = psycopg.connect(database_url, connect_timeout=5)
    except psycopg.OperationalError as error:
        raise away(error) from error
    with connection:
        found = connection.execute(
            """SELECT v.id, v.text FROM study s JOIN study_version v ON v.study_id = s.id
               WHERE s.name = %s ORDER BY v.n DESC LIMIT 1""",
            [name],
        ).fetchone()
        if found is None:
            raise LabelwrightError(
                f'there is no study file and no loaded study "{name}".',
                do="Give the path of a study file, or the name of a loaded study.",
            )
        version, text = found
        dialogues = connection.execute(
            """SELECT d.key, d.turns, d.meta FROM dialogue d WHERE d.id IN (
                 SELECT i.dialogue_id FROM batch b JOIN place p ON p.batch_id = b.id
                 JOIN task_item x ON x.task_id = p.task_id JOIN item i ON i.id = x.item_id
                 WHERE b.version_id = %s AND p.state <> %s) ORDER BY d.id""",
            [version, PlaceState.CLOSED],
        ).fetchall()
    return text, [dialogue_of(*dialogue) for dialogue in dialogues]
