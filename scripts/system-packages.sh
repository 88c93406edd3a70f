#!/usr/bin/env bash
# Installs what the tests need from Debian's packages, where we may. Without root it says what is missing.
set -euo pipefail

missing=()
compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || missing+=(postgresql postgresql-contrib)
command -v chromium >/dev/null || missing+=(chromium)
command -v npm >/dev/null || missing+=(nodejs npm)
# The suite that holds Spark against DuckDB needs a Java; it skips itself where there is none.
command -v java >/dev/null || missing+=(openjdk-17-jre-headless)
# Arabic and Hebrew dialogues must be drawn with real letters when the pages are looked at.
compgen -G "/usr/share/fonts/truetype/noto/NotoSansArabic*" >/dev/null || missing+=(fonts-noto-core)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # Debian would start a server of its own; the tests start theirs.
  mkdir -p /etc/postgresql-common
  [ -f /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "The demo runs without them, but the tests need: ${missing[*]}. Install them with your package manager." >&2
fi
