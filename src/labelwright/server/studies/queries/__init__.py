"""SQL of loading, stages and the calendar."""
