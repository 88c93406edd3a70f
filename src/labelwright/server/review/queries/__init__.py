"""SQL of review: the queue, its cases, verdicts and the discussion of items."""
