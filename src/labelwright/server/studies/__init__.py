"""Studies: loading, versions, stages, calendar."""
