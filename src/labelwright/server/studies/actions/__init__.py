"""Loading a study, its stages and its calendar."""
