#!/usr/bin/env bash
# Installs the chart libraries and the tools that check our JavaScript, and copies the built chart libraries to the
# folder that pages load them from.
# Versions are in package.json, package checksums in package-lock.json, file checksums in scripts/vendor.sha256.
set -euo pipefail
cd "$(dirname "$0")/.."
target=src/labelwright/server/web/static/vendor
sums=scripts/vendor.sha256
[ -x node_modules/.bin/tsc ] && [ ! package-lock.json -nt node_modules/.package-lock.json ] && [ -d "$target" ] &&
  (cd "$target" && sha256sum --quiet --check "../../../../../../$sums") 2>/dev/null && exit 0
npm ci --ignore-scripts --no-audit --no-fund --silent
mkdir -p "$target"
cp node_modules/vega/build/vega.min.js node_modules/vega-lite/build/vega-lite.min.js "$target"
# The interpreter imports its helpers by a bare name, which browsers cannot resolve; vega includes the same helpers.
sed '1s/^import { \(.*\) } from .vega-util.;$/const { \1 } = globalThis.vega;/' \
  node_modules/vega-interpreter/build/vega-interpreter.js > "$target/vega-interpreter.js"
for name in vega vega-lite vega-interpreter; do cp "node_modules/$name/LICENSE" "$target/$name.LICENSE"; done
(cd "$target" && sha256sum --quiet --check "../../../../../../$sums")
