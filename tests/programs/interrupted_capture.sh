#!/bin/sh
# A capture that is interrupted while launches are emulated leaves a manifest that says that it is not complete, the
# traces that it names, and no temporary files.
# A program that does not end by itself: --stop-after ends it and traces what it has launched by then; where reassemble
# itself is ended while the program runs, the manifest lists what was launched, and the program ends, too.
# Usage: interrupted_capture.sh REASSEMBLE PROGRAM ENDLESS-PROGRAM FOLDER
set -eu
reassemble=$1
program=$2
endless=$3
folder=$4
rm -rf "$folder"
mkdir -p "$folder/tmp"
cd "$folder"
export TMPDIR="$folder/tmp"
manifest=traces/$(basename "$program").manifest.json

"$reassemble" trace --quiet -o traces -- "$program" >/dev/null 2>&1 &
process=$!
until test -s "$manifest" && grep -q '"trace":' "$manifest"; do
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

"$reassemble" trace --quiet --stop-after 2 -o stopped -- "$endless" endless >rows 2>&1
name=$(basename "$endless")
manifest=stopped/$name.manifest.json
grep -q '"stopped_after_s": 2' "$manifest"
grep -q '"signal": "Terminated"' "$manifest"
if grep -q '"complete": false' "$manifest"; then
  echo "the manifest of all launches says that it is not complete"
  exit 1
fi
traced=$(grep -c '"trace": ' "$manifest")
launched=$(grep -c '"kernel": "stir"' "$manifest")
test "$traced" -ge 1
test "$traced" -ge $((launched - 1)) # the last launch may have been under way

"$reassemble" trace --quiet -o ended -- "$endless" endless >/dev/null 2>&1 &
process=$!
manifest=ended/$name.manifest.json
until test -s "$manifest"; do
  kill -0 $process
  sleep 0.05
done
kill -TERM $process
code=0
wait $process || code=$?
test $code -gt 128 || { echo "exit code $code, expected one of a signal"; exit 1; }
grep -q '"complete": false' "$manifest"
grep -q '"kernel": "stir"' "$manifest"
left=$(ls -A tmp; ls -A ended | grep -e '^\.reassemble' -e '\.tmp-' || true)
test -z "$left" || { echo "left behind: $left"; exit 1; }
