"""SQL of budgets: limits are set for a study, for every batch and rater, or for one of them."""

from __future__ import annotations

from labelwright.server.store.rows import run


def set_limit(
    study: int, scope: str, batch: int | None, rater: int | None, currency: str, cents: int | None
) -> None:
    """Sets a limit; raises IntegrityError if more is released already. None takes the limit away."""
    run(
        """INSERT INTO payment_budget AS b (study_id, scope, batch_id, rater_id, currency, limit_cents, committed_cents)
           VALUES (%(study)s, %(scope)s, %(batch)s, %(rater)s, %(currency)s, %(cents)s, 0)
           ON CONFLICT (study_id, scope, currency, batch_id, rater_id) DO UPDATE SET limit_cents = excluded.limit_cents""",
        {
            "study": study,
            "scope": scope,
            "batch": batch,
            "rater": rater,
            "currency": currency,
            "cents": cents,
        },
    )


def set_every_limit(study: int, scope: str, currency: str, cents: int | None) -> None:
    """Sets the limit of every batch or rater that has a budget already."""
    run(
        """UPDATE payment_budget SET limit_cents = %s WHERE study_id = %s AND scope = %s AND currency = %s
             AND (batch_id IS NOT NULL OR rater_id IS NOT NULL)""",
        [cents, study, scope, currency],
    )
