"""The rater's own page, and the requester's page about a rater."""
