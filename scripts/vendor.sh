#!/usr/bin/env bash
# Installs the chart libraries and the tools that check our scripts, by name, and puts the built files of the former
# where the pages load them from.
# Versions stand in package.json, checksums of the packages in package-lock.json, those of the files here.
set -euo pipefail
cd "$(dirname "$0")/.."
target=src/labelwright/server/web/static/vendor
sums=scripts/vendor.sha256
[ -x node_modules/.bin/tsc ] && [ ! package-lock.json -nt node_modules/.package-lock.json ] && [ -d "$target" ] &&
  (cd "$target" && sha256sum --quiet --check "../../../../../../$sums") 2>/dev/null && exit 0
npm ci --ignore-scripts --no-audit --no-fund --silent
mkdir -p "$target"
cp node_modules/vega/build/vega.min.js node_modules/vega-lite/build/vega-lite.min.js "$target"
# The interpreter imports its helpers by a bare name, which a browser cannot resolve; vega brings the same ones.
sed '1s/^import { \(.*\) } from .vega-util.;$/const { \1 } = globalThis.vega;/' \
  node_modules/vega-interpreter/build/vega-interpreter.js > "$target/vega-interpreter.js"
for name in vega vega-lite vega-interpreter; do cp "node_modules/$name/LICENSE" "$target/$name.LICENSE"; done
(cd "$target" && sha256sum --quiet --check "../../../../../../$sums")
