"""Lines of the audit log in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.template.defaultfilters import filesizeformat

from labelwright.release import Format
from labelwright.server.access.actions.permission import PERMISSION_NAMES, Permission
from labelwright.server.results.pages.exports import NAMES as FORMAT_NAMES
from labelwright.server.store.models import Audit
from labelwright.server.team.actions.webhooks import WebhookEvent
from labelwright.server.team.pages.settings import EVENT_NAMES
from labelwright.server.web.desk.states import STATES

Context = dict[str, Any]
ON_A_PAGE = 50
PHRASES = {
    "add_raters": "Raters added to the pool",
    "add_user": "User added",
    "address": "Mail address changed by the rater",
    "advance": "Items of a stage opened",
    "agree_cost": "Cost of the language model agreed to",
    "analysis_plan": "Analysis plan registered",
    "start_model": "Model started to rate",
    "ask_reviewer": "Case left to another reviewer",
    "assign_theme": "Theme assigned to texts",
    "board_message": "Message to the pool",
    "bonus": "Bonus given",
    "budget": "Budget changed",
    "call_settled": "Request to the platform decided",
    "close_open_link": "Open link closed",
    "corpus_file": "Corpus file uploaded",
    "create_study": "Study created",
    "data_sheet": "Data sheet changed",
    "deadline": "Deadline moved",
    "decide_personal_data": "Decision about texts that may be personal data",
    "delete_note": "Note deleted",
    "delete_study": "Study deleted",
    "discard_edits": "Changes of the study file discarded",
    "dispute": "Rejection answered by the rater",
    "edit_file": "Study file edited",
    "export": "Export requested",
    "forget": "Personal data deleted",
    "import_study": "Study imported from a release",
    "invite": "Rater invited",
    "load": "Study file loaded",
    "member_state": "State of the rater changed",
    "message": "Message to the rater",
    "note": "Note added",
    "open_link": "Open link created",
    "pay_ids": "Ids of a panel handed out with a pay list",
    "pay_list": "Pay list handed out",
    "pay_reconcile": "Confirmations of payments taken over",
    "pay_run": "Payments released",
    "pay_settle": "Outcome of a payment decided",
    "pay_withdraw": "Payment run taken back",
    "publication": "Publication changed",
    "publish": "Study published on a platform",
    "qualify": "Qualification decided",
    "rehearse": "Rehearsal requested",
    "release": "Release requested",
    "remove_corpus_file": "Corpus file removed",
    "remove_theme": "Theme removed",
    "remove_user": "User removed",
    "report": "Report requested",
    "reset_password": "Password reset",
    "retention": "Old data deleted by the retention policy",
    "review_context": "Generated text reviewed",
    "review_link": "Review link created",
    "revoke_links": "Links revoked",
    "revoke_review_links": "Review links revoked",
    "search_personal_data": "Search for personal data requested",
    "second_opinion": "Second opinion given",
    "open_drawn_items": "Drawn items opened for people",
    "draw_items": "Further items for people agreed to",
    "start_judge_run": "Requests of a probe or version to a model agreed to",
    "study_state": "State of the study changed",
    "team_invite": "Person invited to the team",
    "team_join": "Person joined the team",
    "team_remove": "Person removed from the team",
    "team_role": "Role changed",
    "team_withdraw": "Invitation withdrawn",
    "theme": "Theme added",
    "token_create": "API token created",
    "token_revoke": "API token revoked",
    "transfer": "Study transferred",
    "unassign_theme": "Theme removed from texts",
    "undo_verdict": "Verdict taken back",
    "verdict": "Verdict",
    "visit_settled": "Difference with the platform dealt with",
    "webhook_add": "Webhook added",
    "webhook_remove": "Webhook removed",
    "webhook_test": "Test message sent to the webhook",
    "withdraw": "Rater withdrew from the study",
}
"""What each kind of line says. A test fails while one is missing."""
FIELDS = {
    "answers": "answers",
    "answers_deleted": "answers deleted",
    "bytes": "size",
    "cents": "amount",
    "closes_at": "deadline",
    "data_use": "data",
    "days": "valid for days",
    "microcents": "at most, in millionths of a cent",
    "most": "maximum number of people",
    "paid": "pay",
    "personal_data": "raters whose personal data were deleted",
    "ratings_before": "ratings before it",
    "second_factor_removed": "second factor removed",
}
"""Names of facts that are not their own names with spaces."""
HIDDEN = {"sha256"}
VALUES = {
    "keep": "kept",
    "leave_out": "text left out",
    "left_out": "excluded",
    "none": "undecided",
    "used": "used",
    "owed": "owed",
    "replace": "hidden",
}
IN_WORDS: dict[str, Callable[[Any], str]] = {
    "bytes": filesizeformat,
    "cents": lambda value: f"{value / 100:,.2f}",
    "events": lambda value: EVENT_NAMES[WebhookEvent(value)],
    "format": lambda value: FORMAT_NAMES[Format(value)],
    "scopes": lambda value: PERMISSION_NAMES[Permission(value)],
    "state": lambda value: STATES[value].word,
}
"""How pages say the values of some facts. A value of an earlier release may have no words."""


def lines(found: Sequence[Audit]) -> list[Context]:
    """The lines as the page shows them, as many as fit on it."""
    return [
        {
            "at": line.at,
            "who": line.who,
            "what": PHRASES.get(line.what, line.what.replace("_", " ").capitalize()),
            "subject": line.subject,
            "changes": _changes(line.before, line.after),
        }
        for line in found[:ON_A_PAGE]
    ]


def page(found: Sequence[Audit]) -> Context:
    """One page of the log; `found` has one line more if there are older ones."""
    older = found[ON_A_PAGE - 1].pk if len(found) > ON_A_PAGE else None
    return {"audit_lines": lines(found), "older": f"?before={older}" if older else None}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Each fact that changed, in words.

    >>> _changes({"role": "viewer"}, {"role": "editor", "reason": ""})
    ['role: viewer → editor']
    >>> _changes({}, {"closes_at": "2026-11-20T09:00:00+00:00", "second_factor_removed": True})
    ['deadline: 20 Nov 2026 09:00 UTC', 'second factor removed: yes']
    >>> _changes({"state": "draft"}, {"state": "open", "scopes": ["view", "review"], "format": "jsonl"})
    ['state: Draft → Collecting', 'scopes: See results and export, Decide on flagged work', 'format: JSON Lines']
    """
    found = []
    for key in dict.fromkeys([*before, *after]):
        old, new = _said(key, before.get(key)), _said(key, after.get(key))
        if key in HIDDEN or old == new:
            continue
        name = FIELDS.get(key, key.replace("_", " "))
        found.append(f"{name}: {old} → {new}" if key in before and key in after else f"{name}: {new or old}")
    return found


def _said(key: str, value: Any) -> str:
    """The value of a fact in the words of the pages that show it."""
    if isinstance(value, list):
        return ", ".join(_said(key, one) for one in value)
    if value is not None and key in IN_WORDS:
        with suppress(KeyError, ValueError):
            return IN_WORDS[key](value)
    return _word(value)


def _word(value: Any) -> str:
    """A stored value as a person would say it.

    >>> _word(True), _word(None), _word(12345), _word("left_out")
    ('yes', '', '12,345', 'excluded')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if value is None:
        return ""
    text = str(value)
    try:
        moment = datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        moment = None
    return f"{moment:%-d %b %Y %H:%M} UTC" if moment else VALUES.get(text, text)
