#!/bin/sh
# Creates the cluster on the first start, runs its scripts, and then serves everybody in the network.
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chown -R postgres "$PGDATA" /run/postgresql
  exec runuser -u postgres -- /bin/sh "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --auth-local=trust ${POSTGRES_INITDB_ARGS:-} > /dev/null
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start > /dev/null
  for script in /docker-entrypoint-initdb.d/*.sh; do
    sh "$script"
  done
  pg_ctl --wait stop > /dev/null
fi
exec postgres -c "listen_addresses=*"
