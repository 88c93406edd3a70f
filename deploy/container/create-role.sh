#!/bin/sh
# Runs once, when the database container is new: a role that may do nothing outside its own database.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username=postgres --file=/etc/labelwright/create.sql
psql --quiet --set ON_ERROR_STOP=1 --username=postgres --set password="$DATABASE_PASSWORD" <<'END'
ALTER ROLE labelwright PASSWORD :'password';
END
