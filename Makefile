.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
# Tests start hundreds of Python processes, and each would compile our modules again.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help package
help: ## List the commands
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk -F ':.*?## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# The lists are complete, so nothing is resolved again (--no-deps): pip would refuse a list as soon as there is a newer
# release of a package that another one needs with an extra.
.PHONY: setup
setup: ## Install what users need into .venv (no compiler, npm or system package needed)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing the dependencies (about 1 GB on disk) ..."
	@$(BIN)/pip install --no-deps --require-hashes -r requirements/server.txt
	@$(MAKE) --no-print-directory package
	@echo "Ready. Try:  .venv/bin/labelwright demo"

.PHONY: setup-dev
setup-dev: ## Set up a fresh clone for development: also test tools (2.5 GB) and, as root, system packages
	@bash scripts/system-packages.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing the dependencies and the tools for development ..."
	@$(BIN)/pip install --no-deps --require-hashes -r requirements/dev.txt
	@for extra in oracles llm mturk models; do \
	  $(BIN)/pip install --no-deps --require-hashes -r requirements/$$extra.txt || exit 1; done
	@test -x node_modules/.bin/tsc -a ! package-lock.json -nt node_modules/.package-lock.json || \
	  npm ci --ignore-scripts --no-audit --no-fund
	@$(MAKE) --no-print-directory package
	@echo "Ready. Try:  make check"

package: # installs this clone; its build makes the chart scripts and compiles the translations
	@$(BIN)/pip install --no-deps --require-hashes -r requirements/build.txt
	@$(BIN)/pip install --no-deps --no-build-isolation -e .

.PHONY: format
format: ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix --quiet .

.PHONY: lint
lint: ## Check formatting, lint, types, layers and scripts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check --output-format concise .
	@LABELWRIGHT_DEMO=1 DATABASE_URL=postgresql:///none $(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(MAKE) --no-print-directory js
	@bash scripts/check-files.sh
	@$(BIN)/python scripts/language.py

.PHONY: js
js: ## Check types (from JSDoc) and lint our JavaScript
	@node_modules/.bin/tsc
	@node_modules/.bin/eslint --max-warnings 0 src/labelwright/server/web/static src/labelwright/task/questions

.PHONY: test
test: ## Run all tests on PostgreSQL 15, and the database tests also on PostgreSQL 18 (MEASURE=1: with coverage)
	@rm -rf .coverage
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-server test-others
	@$(MAKE) --no-print-directory test-parallel
	@$(if $(MEASURE),$(MAKE) --no-print-directory coverage)

# Two suites run at a time: one waits for its database or browser while the other computes.
# MEASURE=1 measures branch coverage. It needs 30 to 75% more processor time, so neither CI nor the default does it.
# Every measured process writes a file into .coverage/, including the servers and workers that tests start. The suite
# that needs the whole machine and the PostgreSQL 18 run are not measured: they would add time but no covered lines.
MEASURE ?=
export MEASURE
MEASURED := $(if $(MEASURE),PYTHONPATH=$(CURDIR)/src:$(CURDIR) $(BIN)/python -m coverage run -m,$(BIN)/python -m) pytest
SERVER_TESTS := postgres and not browser and not parallel
.PHONY: test-library test-server test-parallel test-browser test-postgres-18 test-others
test-others: # one after the other: together they take as long as the tests of the server
	@$(MAKE) --no-print-directory test-library
	@$(MAKE) --no-print-directory test-browser
	@$(MAKE) --no-print-directory test-postgres-18
test-library:
	@$(MEASURED) -m "not postgres" --ignore=tests/browser
test-server:
	@$(MEASURED) -m "$(SERVER_TESTS)" --ignore=tests/browser
test-parallel: # runs alone, because it needs the whole machine
	@$(BIN)/pytest tests/parallel
test-browser:
	@$(MEASURED) tests/browser
test-postgres-18:
	@LABELWRIGHT_TEST_POSTGRES=18 $(BIN)/pytest -m "$(SERVER_TESTS) and not once" --ignore=tests/browser

.PHONY: coverage
coverage: # lists the ten least covered modules; fails below `fail_under` in pyproject.toml, which is never lowered
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report --sort=cover --skip-empty --fail-under=0 | awk 'NR <= 12 || /^TOTAL/'
	@$(BIN)/python -m coverage report --format=total > /dev/null || \
	  { echo "Branch coverage is below the minimum (fail_under in pyproject.toml). Add tests for your changes." >&2; exit 1; }

# Mutation testing of the pure core with its unit and property tests. Not part of `make check`.
SAMPLE ?= 150
SEED ?= 1
MINUTES ?= 15
.PHONY: mutants
mutants: ## Run mutation tests on the pure core and list surviving mutants (SAMPLE=, SEED=, MINUTES=)
	@PYTHONPATH=src $(BIN)/python -m scripts.mutants --sample $(SAMPLE) --seed $(SEED) --minutes $(MINUTES)

EXAMPLES ?= 300
.PHONY: fuzz
fuzz: ## Send the API what schemathesis makes of its document (EXAMPLES= for each call); CI sends a few
	@LABELWRIGHT_FUZZ_EXAMPLES=$(EXAMPLES) $(BIN)/pytest tests/integration/test_api_fuzz.py --timeout 7200

.PHONY: upgrades
upgrades: ## Upgrade a filled database from every earlier migration; CI does so from five of them
	@LABELWRIGHT_ALL_UPGRADES=1 $(BIN)/pytest tests/integration/test_upgrade.py

.PHONY: check
check: lint test docs ## Run everything that CI runs

.PHONY: migrations
migrations: ## Create the migration for changed models
	@LABELWRIGHT_DEMO=1 DATABASE_URL=postgresql:///none DJANGO_SETTINGS_MODULE=labelwright.server.config.settings $(BIN)/python -m django makemigrations store
	@PYTHONPATH=src $(BIN)/python -m scripts.schema

.PHONY: demo
demo: ## Start the demo on this machine with 25 simulated raters, and print its addresses
	@$(BIN)/labelwright demo --simulate 25

.PHONY: pictures
pictures: ## Take the screenshots for the documentation
	@$(BIN)/python scripts/pictures.py

.PHONY: messages
messages: ## Update the translation catalogues of rater texts, and compile them
	@$(BIN)/python scripts/messages.py update
	@$(BIN)/python scripts/messages.py compile

.PHONY: lock
lock: ## Update the pinned dependencies, with hashes and without a package index URL
	@bash scripts/lock.sh

.PHONY: audit
audit: ## Look up known vulnerabilities of every pinned package (needs the network)
	@for list in $(LOCKED); do echo "$$list"; $(BIN)/uv run --quiet --isolated --no-project \
	  --with-requirements requirements/audit.txt pip-audit --progress-spinner off --strict --disable-pip \
	  --require-hashes -r $$list || exit 1; done
	@npm audit --package-lock-only

# Every list of pinned packages; requirements/server.txt is what a server installs.
LOCKED := $(filter-out requirements/overrides.txt,$(wildcard requirements/*.txt))

.PHONY: sbom
sbom: ## Write the software bill of materials (CycloneDX) of a server to dist/labelwright.cdx.json
	@$(BIN)/python -m scripts.sbom dist/labelwright.cdx.json

.PHONY: bench
bench: ## Run the benchmarks and write bench/results.json
	@$(BIN)/python -m bench.server
	@$(BIN)/python -m bench.pages
	@$(BIN)/python -m bench.flagging
	@$(BIN)/python -m bench.agreement
	@$(BIN)/python -m bench.corpus
	@$(BIN)/python -m bench.audit
	@$(BIN)/python -m bench.report

.PHONY: bench-large
bench-large: ## Benchmark 1 million tasks and judgments, 10 million answers and 100 million labels (20 GB of disk)
	@$(BIN)/python -m bench.large
	@$(BIN)/python -m bench.requester
	@$(BIN)/python -m bench.agreement large
	@$(BIN)/python -m bench.figures

.PHONY: bench-release
bench-release: ## Benchmark the release of 100,000 and a million judgments
	@$(BIN)/python -m bench.release

.PHONY: bench-release-large
bench-release-large: ## Benchmark the release of 10 million judgments too (40 GB of disk)
	@$(BIN)/python -m bench.release large

.PHONY: bench-billion
bench-billion: ## Benchmark agreement of a billion labels (20 GB of disk)
	@$(BIN)/python -m bench.agreement billion
	@$(BIN)/python -m bench.figures

.PHONY: spark-cluster
spark-cluster: ## Compare Spark on a cluster of two workers with DuckDB, at 10 and 100 million labels
	@$(BIN)/python -m bench.cluster
	@$(BIN)/python -m bench.figures

.PHONY: bench-deletion
bench-deletion: ## Benchmark deleting a study of 100,000 judgments (`large`: a million)
	@$(BIN)/python -m bench.deletion small

.PHONY: bench-ledger
bench-ledger: ## Benchmark a ledger of a million lines: a line costs the same at the end as at the start
	@$(BIN)/python -m bench.ledger large

.PHONY: calibration
calibration: ## Check by simulation that intervals cover and tests keep their level; writes bench/coverage.json and its page
	@$(BIN)/python -m bench.calibration --jobs 2

.PHONY: judges
judges: ## Compare models with people in eight published sets, and check estimates and probes by simulation
	@PYTHONPATH=src:. $(BIN)/python -m scripts.judge_evidence
	@LABELWRIGHT_JUDGE_DRAWS=1000 $(BIN)/pytest -q tests/reproduction/test_model_judges.py

.PHONY: report-errors
report-errors: ## Simulate how often a report names the wrong better system; writes bench/report-errors.json and its page (30 minutes)
	@$(BIN)/python -m bench.report_errors --jobs 2

.PHONY: rules
rules: ## Measure what quality rules catch in simulated crowds; writes bench/rule-evidence.json and its page
	@$(BIN)/python -m scripts.rule_evidence

.PHONY: soak
soak: ## Run a one-hour soak test with simulated raters: memory and connections must not grow (SOAK_MINUTES=)
	@$(BIN)/python -m bench.soak

.PHONY: docs
docs: ## Build the documentation into site/, run its marked examples, check every link
	@$(BIN)/python -m scripts.docs

# These need root and free ports 80, 443, 5432, 8001, 8002 and 9464; they are too long for CI.
.PHONY: deploy-test crash-test upgrade-test restore-test pooler-test
deploy-test: ## Follow docs/how-to/deploy.md on an empty Debian machine (as root, about 10 minutes)
	@$(BIN)/python -m scripts.deployment guide
crash-test: ## Kill servers, worker, PostgreSQL and nginx of that machine under load; nothing may be lost
	@$(BIN)/python -m scripts.deployment crash
upgrade-test: ## Upgrade that machine under 50 simulated raters
	@$(BIN)/python -m scripts.deployment upgrade
restore-test: ## Back up that machine under load, lose its database and restore it
	@$(BIN)/python -m scripts.deployment restore
pooler-test: ## Put pgbouncer in front of that machine's database, with 50 simulated raters
	@$(BIN)/python -m scripts.deployment pooler

.PHONY: container-test
container-test: ## Build the image, start all containers and judge a task in a browser (Docker, or podman and buildah)
	@$(BIN)/python -m scripts.containers
