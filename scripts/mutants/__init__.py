"""Mutation testing of the pure core: `make mutants` changes the code in small ways and asks whether a test notices."""
