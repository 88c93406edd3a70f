"""Which task a rater gets: find, lease, release, expire."""
