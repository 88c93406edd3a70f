"""`python -m labelwright` is the command line."""

from labelwright.cli import main

main()
