#!/usr/bin/env bash
# Installs the Debian packages that the tests need. Without root, it lists the missing ones.
set -euo pipefail

missing=()
compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || missing+=(postgresql postgresql-contrib)
# The test of pgbouncer is skipped without it.
command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
command -v chromium >/dev/null || missing+=(chromium)
command -v npm >/dev/null || missing+=(nodejs npm)
# The suite that compares Spark with DuckDB needs Java; without Java it is skipped.
command -v java >/dev/null || missing+=(openjdk-17-jre-headless)
# Screenshots need fonts for Arabic and Hebrew dialogues.
compgen -G "/usr/share/fonts/truetype/noto/NotoSansArabic*" >/dev/null || missing+=(fonts-noto-core)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # Keeps Debian from starting a server; the tests start their own.
  mkdir -p /etc/postgresql-common
  [ -f /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "The demo runs without them, but the tests need: ${missing[*]}. Install them with your package manager." >&2
fi
