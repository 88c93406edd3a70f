"""What happens, as rows: models, migrations, and the hot path's SQL."""
