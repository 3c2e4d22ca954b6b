#!/bin/sh
# A capture that is interrupted while launches are emulated leaves a manifest that says that it is not complete, the
# traces that it names, and no temporary files.
# Usage: interrupted_capture.sh REASSEMBLE PROGRAM FOLDER
set -eu
reassemble=$1
program=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder/tmp"
cd "$folder"
export TMPDIR="$folder/tmp"
manifest=traces/$(basename "$program").manifest.json

"$reassemble" trace --quiet -o traces -- "$program" >/dev/null 2>&1 &
process=$!
until test -s "$manifest"; do
  kill -0 $process
  sleep 0.02
done
kill -TERM $process
code=0
wait $process || code=$?
test $code -gt 128 || { echo "exit code $code, expected one of a signal"; exit 1; }
grep -q '"complete": false' "$manifest"
named=$(sed -n 's/.*"trace": "\([^"]*\)".*/\1/p' "$manifest")
test -n "$named"
for trace in $named; do
  "$reassemble" info "traces/$trace" >/dev/null
done
left=$(ls -A tmp; ls -A traces | grep -e '^\.reassemble' -e '\.tmp-' || true)
test -z "$left" || { echo "left behind: $left"; exit 1; }
