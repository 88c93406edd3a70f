"""One rater, seen by the rater and by the requester: work, messages, standing, deletion."""
