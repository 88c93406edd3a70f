#!/usr/bin/env bash
# Rejects files that are too large or contain text that looks like a secret. Checks the given files, or all tracked files.
set -euo pipefail
cd "$(dirname "$0")/.."
files=("$@")
[ ${#files[@]} -eq 0 ] && mapfile -t files < <(git ls-files)
status=0
for file in "${files[@]}"; do
  [ -f "$file" ] || continue
  if [ "$(stat -c %s "$file")" -gt 500000 ] && [[ "$file" != requirements/* ]]; then
    echo "$file is larger than 500 kB" >&2; status=1
  fi
  if grep -IqE -- '-----BEGIN [A-Z ]*PRIVATE KEY-----|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}' "$file"; then
    echo "$file contains text that looks like a secret" >&2; status=1
  fi
done
exit $status
