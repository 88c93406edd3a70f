"""Facts of a report survive the way through JSON."""

from labelwright.report import Facts


def test_facts_come_back_from_json_unchanged():
    facts = Facts.model_validate(
        {
            "design": {"conditions": [{"name": "C_0", "redundancy": 3}]},
            "flow": [
                {"kind": "items", "name": "imported", "count": 3, "dropped": [{"reason": "x", "count": 1}]}
            ],
            "plan": {"digest": "51d0", "fixed_at": "2026-11-08T00:00:00Z", "main": {"kind": "systems"}},
        }
    )
    assert Facts.model_validate_json(facts.model_dump_json()) == facts


def test_what_is_not_known_is_none():
    assert Facts().plan is None
