"""The rater's pages around and in a task: start, save, submit, withdraw."""
