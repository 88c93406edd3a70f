"""Calibration: simulated data sets with a known truth show whether intervals cover it and tests keep their level.

    make calibration                                     every row, written to bench/coverage.json and the docs
    python -m bench.calibration agreement --jobs 2       the rows of one topic
    python -m bench.calibration "fleiss_kappa, 41 items" --runs 200 --dry     rows whose name contains this text

A topic is a module of this package, named in `TOPICS`. It registers its rows with `coverage`, `size` and `power`
of `bench.calibration.rows`.
"""

TOPICS = ("agreement", "conditions", "systems", "exclusion")
