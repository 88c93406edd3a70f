"""What is published of each table of a study. A test fails while a table or a column is missing here.

The record of a release holds these tables as JSON Lines, from which `labelwright study import` makes the same study.
"""

from __future__ import annotations

from collections.abc import Mapping

PUBLISHED: Mapping[str, tuple[str, ...]] = {
    "study_version": ("id", "n", "text", "sha256", "corpus_sha256", "loaded_at", "contents", "same_meaning", "change"),
    "analysis_plan": ("id", "version_id", "canonical", "sha256", "registered_at", "ratings_before"),
    "pool": ("id", "name"),
    "dialogue": ("id", "key", "sha256", "turns", "meta"),
    "item": (
        "id", "key", "kind", "dialogue_id", "target", "system", "discussed_at", "people_chance", "chance_at", "drawn", "payload",
    ),
    "generation": ("id", "cache_key", "prompt", "model", "parameters", "state", "raw", "text", "microcents", "asked_at", "answered_at"),
    "context": (
        "id", "version_id", "item_id", "kind", "recipe", "state", "review", "content", "facts", "generation_id",
        "attempts", "not_before",
    ),
    "context_discard": ("id", "context_id", "generation_id", "reason", "at"),
    "context_verdict": ("id", "context_id", "verdict", "before", "after", "at"),
    "mined_phrase": ("id", "version_id", "place", "text", "dialogues"),
    "generation_budget": ("limit_microcents", "committed_microcents"),
    "batch": (
        "id", "version_id", "number", "topic", "state", "items", "tasks", "group_tasks", "wanted", "condition_wanted",
        "opens_at", "closes_at", "opened_at", "closed_at", "purpose",
    ),
    "task": ("id", "content", "condition", "items", "base_id"),
    "task_item": ("task_id", "position", "item_id", "spoil_key", "also_spoils", "role"),
    "place": (
        "id", "task_id", "ordinal", "batch_id", "pool_id", "rater_group", "condition", "rank", "state", "closing", "gold",
    ),
    "rater": ("id", "pseudonym", "kind", "consented_at", "consented_version_id", "forgotten_at"),
    "member": (
        "pool_id", "rater_id", "number", "rater_group", "state", "joined_at", "qualified", "decided_at", "score",
    ),
    "batch_work": ("batch_id", "rater_id", "done", "gold", "first_offered_at", "last_submitted_at", "completed_at"),
    "rater_count": ("rater_id", "scope", "key", "n", "cap", "last_rank"),
    "rater_sheet": (
        "id", "version_id", "rater_id", "part", "key", "answers", "tries", "right_share", "passed", "closed",
        "answered_at",
    ),
    "withdrawal": ("rater_id", "data_use", "at"),
    "assignment": (
        "id", "version_id", "place_id", "task_id", "rater_id", "state", "offered_at", "lease_until", "free_for",
        "submitted_at", "seconds", "slot", "paid_state", "data_use", "decide_by", "unflagged",
    ),
    "answer": ("id", "assignment_id", "position", "question", "aspect", "value", "code"),
    "flag": ("id", "assignment_id", "rule", "rule_version", "then", "evidence", "found_at"),
    "theme": ("id", "name", "made_at"),
    "theme_mark": ("id", "theme_id", "assignment_id", "position", "question", "marked_at"),
    "gold_result": ("id", "assignment_id", "position", "question", "right"),
    "verdict": ("id", "assignment_id", "pay", "data_use", "replaces_id", "at"),
    "review_group": ("id", "rater_id", "kind", "rule", "open", "weight", "decide_by"),
    "review_case": (
        "id", "group_id", "assignment_id", "kind", "state", "condition", "rules", "weight", "decide_by", "decided_at",
        "choice", "decision", "before",
    ),
    "rater_finding": ("id", "rater_id", "kind", "figures", "found_at"),
    "rater_audit": ("seen_until", "audited_at"),
    "tally": ("id", "version_id", "rater_kind", "condition", "question", "code", "left_out", "n"),
    "item_tally": ("id", "item_id", "version_id", "rater_kind", "condition", "question", "code", "n"),
    "pace_tally": ("id", "condition", "step", "n"),
}  # fmt: skip
"""The columns of each published table as they are; keys point to other published rows."""

_REVIEWER = "CASE WHEN {column} = '' THEN '' ELSE 'reviewer-' || left(md5({salt} || lower({column})), 8) END"
REPLACED: Mapping[str, Mapping[str, str]] = {
    # Public ids and nonces are parts of links. Everybody gets new ones, which no link was made with.
    "pool": {"public_id": "'r' || left(md5({salt} || 'pool' || id), 16)"},
    "rater": {
        "public_id": "'r' || left(md5({salt} || 'rater' || id), 16)",
        "nonce": "''",
        "link_expires_at": "to_timestamp(0)",
        "person_id": "NULL::bigint",
    },
    "assignment": {
        # Receipts are made from it.
        "public_id": "md5({salt} || 'assignment' || id)::uuid",
        "visit_hash": "''::bytea",
    },
    # Reviewers have names that only say which verdicts are by the same person.
    "context_verdict": {"author": _REVIEWER.replace("{column}", "author")},
    "verdict": {
        "author": _REVIEWER.replace("{column}", "author"),
        # Sentences to the rater about their work.
        "reason": "''",
    },
    "theme": {"made_by": _REVIEWER.replace("{column}", "made_by")},
    "theme_mark": {"marked_by": _REVIEWER.replace("{column}", "marked_by")},
    "review_case": {
        "decided_by": _REVIEWER.replace("{column}", "decided_by"),
        "away_from": _REVIEWER.replace("{column}", "away_from"),
        "claimed_by": "''",
        "claimed_until": "NULL::timestamptz",
        "reason": "''",
        "message_id": "NULL::bigint",
    },
}
"""What an import gets instead of the other columns of published tables; `{salt}` is drawn anew for each release."""

TEXTS: Mapping[str, tuple[str, ...]] = {
    "dialogue": ("turns", "meta"),
    "item": ("payload",),
    "generation": ("prompt", "raw", "text"),
    "context": ("content", "facts"),
    "context_discard": ("reason",),
    "context_verdict": ("before", "after"),
    "mined_phrase": ("text",),
    "rater_sheet": ("answers",),
    "answer": ("value",),
    "flag": ("evidence",),
    "theme": ("name",),
    "rater_finding": ("figures",),
}
"""The published columns with texts of people, which are searched for personal data."""

WITHHELD: Mapping[str, str] = {
    "visit": "page tokens",
    "draft": "answers that were not submitted",
    "text_print": "fingerprints of texts, made again from the answers",
    "typing_record": "how people typed",
    "dispute": "letters of raters",
    "message": "letters to and from raters",
    "message_item": "letters to and from raters",
    "mail": "who was written to",
    "note": "notes about raters",
    "waiting_address": "mail addresses",
    "open_link": "links",
    "exposure": "limits what raters are offered, which an imported study does not do",
    "offered": "limits what raters are offered, which an imported study does not do",
    "rule_mark": "work that the worker still has to do",
    "case_change": "work that the worker still has to do",
    "study_change": "work that the worker still has to do",
    "item_change": "work that the worker still has to do",
    "rater_change": "work that the worker still has to do",
    "study_report": "computed from the other tables",
    "report_file": "computed from the other tables",
    "study_figures": "computed from the other tables",
    "item_line": "computed from the other tables",
    "item_label": "computed from the other tables",
    "item_words": "computed from the other tables",
    "rater_line": "computed from the other tables",
    "agreed_cost": "who agreed to the cost of a language model",
    "reviewer_link": "accounts and links of the team",
    "teammate": "accounts and links of the team",
    "team_invitation": "accounts and links of the team",
    "webhook": "addresses of the team",
    "webhook_delivery": "addresses of the team",
    "prepared_export": "files of this installation",
    "edited_file": "a study file that is still being written",
    "corpus_file": "the whole corpus; the dialogues that were shown are published",
    "study_rehearsal": "simulated raters",
    "payment": "what raters were paid; the pay of a task is in the study file",
    "payment_run": "what raters were paid; the pay of a task is in the study file",
    "payment_budget": "what raters were paid; the pay of a task is in the study file",
    "ledger_line": "what raters were paid; the pay of a task is in the study file",
    "platform_call": "calls to platforms",
    "model_call": "requests to models with whole tasks; their answers are published like those of people",
    "model_budget": "who agreed to the cost of a model",
    "judge_version": "prompts of the team",
    "judge_run": "computed from other requests to models",
    "judge_trial": "requests to models outside of tasks",
    "arrival": "IDs of platforms",
    "publication": "how people were recruited; the pay of a task is in the study file",
    "platform_visit": "what platforms say of visits",
    "text_scan": "about the release itself",
    "personal_hit": "the personal data that were found",
    "data_sheet": "published as the data sheet",
}
"""Tables of which nothing is published, each with the reason."""


def published_as(table: str, salt: str) -> dict[str, str]:
    """The SQL of every published column of a table, by its name; `salt` is an SQL literal."""
    kept = {column: f'"{column}"' for column in PUBLISHED[table]}
    return kept | {
        column: expression.format(salt=salt) for column, expression in REPLACED.get(table, {}).items()
    }
