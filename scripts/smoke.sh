#!/usr/bin/env bash
# The README's one command, as a newcomer types it: it must come up, answer, stop cleanly, and come up again with its data.
set -euo pipefail
cd "$(dirname "$0")/.."
data=$(mktemp -d) && chmod 755 "$data"
log=$data/start.log
trap 'kill -KILL -- "-${pid:-0}" 2>/dev/null || true; rm -rf "$data"' EXIT

start() {
  : >"$log"
  # A group of its own, as a terminal gives a command: npm ends before what it has started.
  DATA_DIR=$data/data PORT=0 setsid npm start --silent >"$log" 2>&1 &
  pid=$!
  for _ in $(seq 300); do
    url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$log" | head -n 1 || true)
    if [ -n "$url" ] && curl -fsS "$url/health/ready" >/dev/null 2>&1; then return 0; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "the platform did not start:"; cat "$log"; return 1
}

stop() {
  kill -TERM -- "-$pid"
  for _ in $(seq 100); do kill -0 -- "-$pid" 2>/dev/null || return 0; sleep 0.1; done
  echo "the platform did not stop within 10 seconds:"; cat "$log"; return 1
}

start
curl -fsS "$url/api/v1/status" | grep -q '"status":"ok"'
curl -fsS "$url/openapi.json" | grep -q '"openapi":"3.1'
curl -fsS "$url/docs" >/dev/null
stop
start
stop
echo "the platform starts, answers, stops, and starts again"
