"""The database: models, migrations, and SQL helpers for the hot path."""
