"""Every column of the database: what it holds about whom and for how long, or that it holds no personal data.

The page for ethics boards is made from this list. A test fails while a column is missing here. Keys (`id` and columns
that end with `_id`) hold no personal data by themselves and are not listed.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

Columns = Mapping[str, tuple[str, ...]]
"""Columns by table."""
ALL = ("*",)
"""Every column of a table that belongs to a library."""


class About(enum.StrEnum):
    """The people whom data are about."""

    RATERS = "Raters"
    CORPUS = "People in the corpus"
    TEAM = "Requesters and reviewers"


class Kept(enum.StrEnum):
    """What decides how long data are kept."""

    PERSONAL_DATA = "personal_data"
    VISITS = "visits"
    DRAFTS = "drafts"
    MAILS = "mails"
    WAITING = "waiting"
    LOG = "log"
    ANSWERS = "answers"
    """The consent form says whether they are deleted together with the personal data."""
    STUDY = "study"
    ACCOUNT = "account"
    HOUR = "hour"
    DAY = "day"
    LOGINS = "logins"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class StoredData:
    """Data that are or may be about a person."""

    what: str
    about: About
    where: Columns
    kept: Kept
    protection: str = ""


STORED = (
    StoredData(
        "Mail address, if the rater or the person who invited them gave one",
        About.RATERS,
        {"person": ("platform", "id_sealed", "id_hmac")},
        Kept.PERSONAL_DATA,
        "encrypted; found by a keyed hash",
    ),
    StoredData(
        "Visits of people whom a panel sent, with the panel's ids",
        About.RATERS,
        {"arrival": ("person_sealed", "person_hmac", "session_sealed", "session_hmac", "arrived_at")},
        Kept.PERSONAL_DATA,
        "encrypted; found by a keyed hash",
    ),
    StoredData(
        "What a platform says of visits: their state, their times, and by which code people went back",
        About.RATERS,
        {
            "platform_visit": (
                "session_hmac", "state", "code", "began_at", "ended_at", "changed_at", "settled_by", "settled_at",
            ),
        },
        Kept.STUDY,
        "the visit by a keyed hash; the platform's ids are not stored here",
    ),
    StoredData(
        "Messages between raters and requesters",
        About.RATERS,
        {"message": ("kind", "author", "text", "sent_at", "read_at")},
        Kept.PERSONAL_DATA,
    ),
    StoredData(
        "Questions that a requester published to all raters of an item, in the requester's own words",
        About.RATERS,
        {"message": ("shown", "question_shown")},
        Kept.STUDY,
        "not linked to the rater after deletion",
    ),
    StoredData(
        "Notes of requesters about a rater",
        About.RATERS,
        {"note": ("author", "text_sealed", "at")},
        Kept.PERSONAL_DATA,
        "encrypted",
    ),
    StoredData(
        "Answers to demographic, familiarity and quiz questions",
        About.RATERS,
        {
            "rater_sheet": (
                "part", "key", "answers", "tries", "right_share", "passed", "closed", "answered_at",
            )
        },
        Kept.PERSONAL_DATA,
        "kept apart from judgments",
    ),
    StoredData(
        "Mail address that somebody left when all tasks were taken",
        About.RATERS,
        {"waiting_address": ("address_sealed", "address_hmac", "given_at", "chosen")},
        Kept.WAITING,
        "encrypted; deleted as soon as they are written to",
    ),
    StoredData(
        "The part of a personal link that makes it valid",
        About.RATERS,
        {"rater": ("nonce", "link_expires_at")},
        Kept.PERSONAL_DATA,
        "worthless without the key of the server",
    ),
    StoredData(
        "Reasons of verdicts, as the rater reads them, and the rater's answer",
        About.RATERS,
        {"verdict": ("reason",), "review_case": ("reason",), "dispute": ("text", "at")},
        Kept.PERSONAL_DATA,
    ),
    StoredData(
        "Answers that were saved before submission",
        About.RATERS,
        {"draft": ("revision", "save_id", "answers", "saved_at")},
        Kept.DRAFTS,
        "deleted with the personal data at the latest",
    ),
    StoredData(
        "When task pages were opened",
        About.RATERS,
        {"visit": ("token_hash", "opened_at")},
        Kept.VISITS,
        "only a hash of the page's token; deleted with the personal data at the latest",
    ),
    StoredData(
        "Which rater got a mail and when",
        About.RATERS,
        {"mail": ("state", "made_at")},
        Kept.MAILS,
        "without address or text; deleted with the personal data at the latest",
    ),
    StoredData(
        "Judgments and free text in answers",
        About.RATERS,
        {"answer": ("position", "question", "aspect", "value", "code")},
        Kept.ANSWERS,
        "by pseudonym",
    ),
    StoredData(
        "Doubts of quality rules about submitted work, and results on gold items",
        About.RATERS,
        {
            "flag": ("rule", "rule_version", "then", "evidence", "found_at"),
            "gold_result": ("position", "question", "right"),
            "rater_finding": ("kind", "figures", "found_at"),
            "text_print": ("place", "fingerprint"),
        },
        Kept.ANSWERS,
        "by pseudonym; of free text a hash of its words",
    ),
    StoredData(
        "How free text was typed: numbers of key strokes and pastes, and the time between key strokes",
        About.RATERS,
        {"typing_record": ("facts",)},
        Kept.PERSONAL_DATA,
        "only in studies that record it and say so before raters agree; never the keys or deleted text",
    ),
    StoredData(
        "Pseudonym, pools, consent, withdrawal and deletion",
        About.RATERS,
        {
            "rater": ("pseudonym", "kind", "consented_at", "forgotten_at"),
            "member": (
                "number", "rater_group", "state", "joined_at", "qualified", "decided_at", "score",
            ),
            "withdrawal": ("data_use", "at"),
            "rater_line": ("name", "state", "pools"),
        },
        Kept.STUDY,
        "by pseudonym",
    ),
    StoredData(
        "Which tasks were offered and submitted, the time they took, receipts, decisions on pay and data",
        About.RATERS,
        {
            "assignment": (
                "state", "offered_at", "lease_until", "free_for", "submitted_at", "seconds", "slot", "visit_hash",
                "paid_state", "data_use", "decide_by", "unflagged",
            ),
            "verdict": ("author", "pay", "data_use", "at"),
            "review_group": ("kind", "rule", "open", "weight", "decide_by"),
            "review_case": (
                "kind", "state", "condition", "rules", "weight", "decide_by", "away_from", "claimed_by", "claimed_until",
                "decided_by", "decided_at", "choice", "decision", "before",
            ),
            "batch_work": ("done", "gold", "first_offered_at", "last_submitted_at", "completed_at"),
            "rater_count": ("scope", "key", "n", "cap", "last_rank"),
            "exposure": ("spoil_key",),
            "rater_line": (
                "tasks", "pace", "recent", "gold_right", "gold_answered", "attention_right", "attention_answered",
                "flags", "undecided", "owed", "last_seen", "agreement", "agreement_low", "agreement_high",
                "agreement_items",
            ),
        },
        Kept.STUDY,
        "by pseudonym; needed for pay and for balance",
    ),
    StoredData(
        "Payments: what was planned, released, sent and confirmed, by whom and when",
        About.RATERS,
        {
            "payment": (
                "key", "code", "kind", "platform", "cents", "fee_cents", "currency", "state", "round", "made_at",
                "changed_at",
            ),
            "ledger_line": ("state", "cents", "fee_cents", "currency", "who", "why", "at"),
            "payment_run": ("number", "platform", "made_by", "made_at", "listed_at"),
            "payment_budget": ("scope", "currency", "limit_cents", "committed_cents"),
            "platform_call": (
                "key", "platform", "kind", "request", "state", "lease_until", "attempts", "said", "facts", "made_at",
                "sent_at", "settled_at", "next_at",
            ),
        },
        Kept.STUDY,
        "by pseudonym; lines of the ledger cannot be changed",
    ),
    StoredData(
        "Why a person gave a rater a bonus",
        About.RATERS,
        {"payment": ("reason",)},
        Kept.PERSONAL_DATA,
    ),
    StoredData(
        "The network from which somebody joined through an open link",
        About.RATERS,
        {"joining": ("network", "at")},
        Kept.HOUR,
        "a keyed hash, without a record of who joined",
    ),
    StoredData(
        "The audit log of all changes: who did what and when",
        About.RATERS,
        {"audit": ("who", "what", "subject", "before", "after", "at")},
        Kept.LOG,
        "by pseudonym; reasons are deleted with the personal data; other lines stay when the study is deleted",
    ),
    StoredData(
        "Dialogues and items, as they were imported",
        About.CORPUS,
        {
            "dialogue": ("key", "turns", "meta"),
            "corpus_file": ("name", "content"),
            "item": ("key", "system", "payload"),
            "item_line": ("key", "systems"),
            "item_words": ("words",),
        },
        Kept.STUDY,
        "remove personal data before you import a corpus",
    ),
    StoredData(
        "Texts generated from dialogues, and requests to language models",
        About.CORPUS,
        {
            "generation": ("prompt", "raw", "text"),
            "model_call": ("prompt", "raw", "problems"),
            "judge_trial": ("prompt", "raw", "told"),
            "context": ("content", "facts"),
            "mined_phrase": ("text",),
        },
        Kept.STUDY,
    ),
    StoredData(
        "Reviews of generated texts, with the reviewer's name",
        About.TEAM,
        {
            "context_verdict": ("author", "verdict", "before", "after", "at"),
            "reviewer_link": ("reviewer", "number", "made_at"),
        },
        Kept.STUDY,
    ),
    StoredData(
        "The team of a study: accounts with their roles, and the addresses of invited people",
        About.TEAM,
        {
            "teammate": ("role", "joined_at"),
            "team_invitation": (
                "email", "role", "nonce", "invited_by", "made_at", "expires_at", "mailed",
            ),
        },
        Kept.STUDY,
    ),
    StoredData(
        "Publications on platforms: who made them, what they pay, and what the platform says of them",
        About.TEAM,
        {
            "publication": (
                "number", "platform", "state", "places", "tasks", "minutes", "cents", "currency", "cost_cents",
                "ways_back", "step", "made_by", "made_at", "status", "is_open", "offered", "read_at", "next_at",
            ),
        },
        Kept.STUDY,
    ),
    StoredData(
        "Webhooks: the addresses that study owners chose, and the messages to them",
        About.TEAM,
        {
            "webhook": (
                "address", "secret_sealed", "events", "made_at", "seen_judgments", "seen_full", "seen_flag",
            ),
            "webhook_delivery": (
                "event", "body", "state", "attempts", "next_at", "status", "error", "made_at",
            ),
        },
        Kept.STUDY,
        "secrets are encrypted; messages hold counts and no data of raters",
    ),
    StoredData(
        "Study files, with the names and addresses that their authors put in",
        About.TEAM,
        {
            "study_version": ("text", "same_meaning", "loaded_at", "change"),
            "edited_file": ("text", "changed_by", "changed_at"),
            "study_rehearsal": ("text", "asked_by", "asked_at"),
        },
        Kept.STUDY,
    ),
    StoredData(
        "The newest report of a study, which quotes what raters wrote, by pseudonym",
        About.RATERS,
        {"report_file": ("name", "content", "bytes")},
        Kept.STUDY,
        "deleted when the answers of a rater are deleted",
    ),
    StoredData(
        "Who asked for a report, and who named and assigned themes",
        About.TEAM,
        {
            "study_report": ("asked_by", "asked_at"),
            "theme": ("name", "made_by", "made_at"),
            "theme_mark": ("marked_by", "marked_at"),
        },
        Kept.STUDY,
    ),
    StoredData(
        "Analysis plans, as their authors wrote them",
        About.TEAM,
        {"analysis_plan": ("canonical", "registered_at")},
        Kept.STUDY,
    ),
    StoredData(
        "Who agreed to the cost of a language model, and to what",
        About.TEAM,
        {
            "model_budget": ("agreed_by", "agreed_at"),
            "judge_run": ("author", "agreed_at"),
            "judge_version": ("change", "instructions", "author", "declared_at"),
            "agreed_cost": (
                "author", "at", "model", "address", "texts", "requests", "tokens", "microcents",
            )
        },
        Kept.STUDY,
    ),
    StoredData(
        "Texts that may be personal data, found before a release, and who decided what becomes of them",
        About.RATERS,
        {"personal_hit": ("kind", "key", "text", "places", "source", "row", "decision", "decided_by", "decided_at")},
        Kept.ANSWERS,
        "copies of parts of answers and dialogues; deleted with the answer in which they were found first",
    ),
    StoredData(
        "The data sheet of a release: what study owners say about the study, with names and contact addresses",
        About.TEAM,
        {"data_sheet": ("answers", "changed_by", "changed_at")},
        Kept.STUDY,
    ),
    StoredData(
        "Who asked for an export; the file itself holds what an export holds",
        About.TEAM,
        {
            "prepared_export": (
                "form", "state", "asked_by", "asked_at", "total", "written", "bytes", "expires_at",
            )
        },
        Kept.DAY,
    ),
    StoredData(
        "Accounts: mail address, password, second factor",
        About.TEAM,
        {
            "user_account": (
                "password", "last_login", "is_superuser", "username", "first_name", "last_name", "email",
                "is_staff", "is_active", "date_joined", "time_zone",
            ),
            "user_account_groups": ALL,
            "user_account_user_permissions": ALL,
            "account_emailaddress": ALL,
            "account_emailconfirmation": ALL,
            "mfa_authenticator": ALL,
        },
        Kept.ACCOUNT,
        "passwords are hashed (scrypt), second factors encrypted",
    ),
    StoredData(
        "API tokens of users: name, scopes, and when they were made and last used",
        About.TEAM,
        {
            "api_token": (
                "name", "token_hash", "ending", "scopes", "made_at", "expires_at", "last_used_at", "revoked_at",
            )
        },
        Kept.ACCOUNT,
        "only a hash of the token",
    ),
    StoredData(
        "Logins: time, network address and browser",
        About.TEAM,
        {"axes_accesslog": ALL},
        Kept.LOGINS,
    ),
    StoredData(
        "Failed logins and attempts at a second factor",
        About.TEAM,
        {
            "axes_accessattempt": ALL,
            "axes_accessattemptexpiration": ALL,
            "axes_accessfailurelog": ALL,
            "code_attempt": ("at",),
        },
        Kept.DAY,
    ),
    StoredData(
        "Sessions of logged-in users, with the kind of browser",
        About.TEAM,
        {"login_session": ("session_key", "session_data", "expire_date", "browser", "started_at", "seen_at")},
        Kept.SESSION,
    ),
)  # fmt: skip

WITHOUT_PERSONAL_DATA: Columns = {
    "study": ("name", "title", "link_key_number", "state", "created_at", "deleted_at"),
    "study_figures": (
        "started_at", "computed_at", "took_seconds", "counted", "at_work", "release", "summary", "pages",
    ),
    "study_change": (),
    "text_scan": ("asked_at", "scanned_at", "texts"),
    "edited_file": ("revision", "template"),
    # Simulated raters are no people.
    "study_rehearsal": ("state", "wanted", "done", "figures", "error"),
    "analysis_plan": ("sha256", "ratings_before"),
    "study_report": ("state", "step", "error", "made_at", "judgments", "basis"),
    "theme_mark": ("position", "question"),
    "key_check": ("name", "proof", "recorded_at"),
    "study_version": ("n", "sha256", "corpus_sha256", "contents"),
    "pool": ("name",),
    "platform_event": ("platform", "event", "received_at"),
    "open_link": ("nonce", "most", "used", "expires_at", "closed_at", "made_at"),
    "dialogue": ("sha256",),
    "corpus_file": ("sha256", "bytes", "drawn", "added_at"),
    "item": ("kind", "target", "discussed_at", "people_chance", "chance_at", "drawn"),
    "batch": (
        "number", "topic", "state", "items", "tasks", "group_tasks", "wanted", "condition_wanted", "opens_at",
        "closes_at", "opened_at", "closed_at", "purpose",
    ),
    "task": ("content", "condition", "items"),
    "task_item": ("position", "spoil_key", "also_spoils", "role"),
    "place": ("ordinal", "rater_group", "condition", "rank", "state", "closing", "gold"),
    "offered": ("rater_group", "condition", "slot", "n"),
    "tally": ("rater_kind", "condition", "question", "code", "left_out", "n"),
    "item_tally": ("rater_kind", "condition", "question", "code", "n"),
    "item_line": ("condition", "gold", "stored", "wanted", "flags", "disagreement", "unclear"),
    "item_label": ("condition", "question", "n", "code", "share", "disagreement"),
    "case_change": (),
    "item_change": (),
    "rule_mark": (),
    "pace_tally": ("condition", "step", "n"),
    "rater_audit": ("seen_until", "audited_at"),
    "rater_change": (),
    "message_item": (),
    "generation": (
        "cache_key", "model", "parameters", "state", "microcents", "asked_at", "answered_at",
    ),
    "generation_budget": ("limit_microcents", "committed_microcents"),
    "model_call": (
        "attempt", "model", "parameters", "state", "tokens_in", "tokens_out", "microcents", "asked_at", "answered_at",
    ),
    "judge_version": ("number", "digest"),
    "judge_run": ("kind", "items", "smallest", "figures", "finished_at"),
    "judge_trial": (
        "condition", "changed", "attempt", "state", "model", "parameters", "codes", "tokens_in", "tokens_out",
        "microcents", "asked_at", "answered_at",
    ),
    "model_budget": (
        "limit_microcents", "committed_microcents", "structured", "not_before", "refused", "figures", "figures_at",
    ),
    "context": ("kind", "recipe", "state", "review", "attempts", "not_before"),
    "context_discard": ("reason", "at"),
    "mined_phrase": ("place", "dialogues"),
    "token_bucket": ("endpoint", "tokens", "filled_at"),
    "auth_group": ALL,
    "auth_group_permissions": ALL,
    "auth_permission": ALL,
    "django_content_type": ALL,
    "django_migrations": ALL,
    # Jobs are given ids, never data.
    "procrastinate_events": ALL,
    "procrastinate_jobs": ALL,
    "procrastinate_periodic_defers": ALL,
    "procrastinate_workers": ALL,
}  # fmt: skip


def is_key(column: str) -> bool:
    """Whether a column is a key, which holds no personal data by itself.

    >>> is_key("rater_id"), is_key("reason")
    (True, False)
    """
    return column == "id" or column.endswith("_id")
