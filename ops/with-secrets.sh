#!/bin/sh
# Runs a command with each file of SECRETS_DIR (/run/secrets) as the variable of its name, so that no secret stands in a
# compose file or in what `docker inspect` shows.
set -eu
for file in "${SECRETS_DIR:-/run/secrets}"/*; do
  [ -f "$file" ] || continue
  export "$(basename "$file")=$(cat "$file")"
done
exec "$@"
