"""The audit log: everything that changes something writes a line, and no line is lost."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import labelwright
from tests.desk import client_of, get
from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

SOURCE = Path(labelwright.__file__).parent


def logged_kinds() -> set[str]:
    """The kinds of lines that the code writes."""
    kinds = set()
    for path in (SOURCE / "server").rglob("*.py"):
        tree = ast.parse(path.read_text())
        constants = {
            node.targets[0].id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "log_change":
                kind = node.args[2]
                name = kind.value if isinstance(kind, ast.Constant) else constants[getattr(kind, "id", "")]
                kinds.add(str(name))
    return kinds


def test_every_kind_of_line_has_words():
    from labelwright.server.team.pages.audit import PHRASES

    assert logged_kinds() - set(PHRASES) == set()


def test_lines_cannot_be_changed_or_deleted_and_outlive_their_study():
    from django.db import Error, transaction

    from labelwright.server.access.actions.audit import log_change
    from labelwright.server.studies.actions.deletion import delete_rows, withdraw_study
    from tests.integration.test_keys import load

    study = load().study
    log_change(study.pk, "me", "transfer", "tiny", NOW, before={"owner": "a"}, after={"owner": "b"})
    for statement in ("UPDATE audit SET who = 'you'", "DELETE FROM audit"):
        with pytest.raises(Error, match="cannot be changed or deleted"), transaction.atomic():
            rows(statement)
    withdraw_study(study, "me", NOW)
    list(delete_rows(study.pk))
    assert rows("SELECT what FROM audit ORDER BY id") == [("load",), ("transfer",), ("delete_study",)]


def test_only_privacy_removes_lines_and_reasons():
    from labelwright.server.access.actions.audit import log_change, remove_reasons
    from labelwright.server.profiles.actions.retention import apply_retention
    from tests.integration.test_keys import load

    study = load(retention={"log": 30}).study
    log_change(study.pk, "me", "verdict", "amber-finch", NOW, after={"reason": "About a person."})
    remove_reasons(study.pk, "amber-finch")
    assert rows("SELECT after FROM audit WHERE what = 'verdict'") == [("{}",)]
    while apply_retention(NOW + timedelta(days=31)):
        pass
    assert rows("SELECT what FROM audit") == [("retention",)]


def test_the_page_shows_lines_in_words(study_with_owner: Any):
    from labelwright.server.access.actions.audit import log_change

    study = study_with_owner
    for number in range(60):
        log_change(study.pk, "me@example.org", "team_role", f"p{number}", NOW,
                   before={"role": "viewer"}, after={"role": "editor"})  # fmt: skip
    log_change(study.pk, "me", "export", "n", NOW, after={"format": "csv"})
    log_change(study.pk, "me", "corpus_file", "replies.jsonl", NOW, after={"bytes": 11393})
    log_change(study.pk, "me", "study_state", "n", NOW, before={"state": "draft"}, after={"state": "open"})
    owner = client_of("owner@example.org")
    page = get(owner, f"/studies/{study.public_id}/audit")
    for words in ("format: CSV", "size: 11.1\u00a0KB", "state: Draft → Collecting"):
        assert words in page
    assert page.count("role: viewer → editor") == 47
    older = re.search(r"\?before=\d+", page).group()
    rest = get(owner, f"/studies/{study.public_id}/audit{older}")
    assert rest.count("role: viewer → editor") == 13
    assert "Study file loaded" in rest
    assert "sha256" not in rest


@pytest.fixture
def study_with_owner() -> Any:
    """A study with an owner."""
    from labelwright.server.access.actions.users import add_user
    from tests.integration.test_keys import load

    loaded = load()
    loaded.study.owner, _ = add_user("owner@example.org", "a long password of a test")
    loaded.study.save()
    return loaded.study
