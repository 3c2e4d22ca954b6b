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

# Ends the process as soon as the file holds the text. Returns its exit code in $code; 0 where it was too late, because
# the machine had no time for this script.
end_when() { # process, file, text
  until test -s "$2" && grep -q "$3" "$2"; do
    kill -0 "$1" || { echo "ended before \"$3\" was in $2"; exit 1; }
    sleep 0.02
  done
  kill -TERM "$1" 2>/dev/null || true
  code=0
  wait "$1" || code=$?
}

code=0
for attempt in 1 2 3 4 5; do
  rm -rf traces
  "$reassemble" trace --quiet --every-launch -o traces -- "$program" >/dev/null 2>&1 &
  end_when $! "$manifest" '"trace":'
  test $code = 0 || break
  echo "attempt $attempt: all launches were emulated first"
done
test $code -gt 128 || { echo "exit code $code, expected one of a signal"; exit 1; }
grep -q '"complete": false' "$manifest"
named=$(sed -n 's/.*"trace": "\([^"]*\)".*/\1/p' "$manifest")
test -n "$named"
for trace in $named; do
  "$reassemble" info "traces/$trace" >/dev/null
done
left=$(ls -A tmp; ls -A traces | grep -e '^\.reassemble' -e '\.tmp-' || true)
test -z "$left" || { echo "left behind: $left"; exit 1; }

name=$(basename "$endless")
manifest=stopped/$name.manifest.json
for seconds in 2 4 8 16 32; do # until the program has launched anything by then
  rm -rf stopped
  "$reassemble" trace --quiet --stop-after $seconds -o stopped -- "$endless" endless >rows 2>&1 || test $seconds -lt 32
  test -s "$manifest" && grep -q '"kernel": "stir"' "$manifest" && break
done
grep -q "\"stopped_after_s\": $seconds" "$manifest"
grep -q '"signal": "Terminated"' "$manifest"
if grep -q '"complete": false' "$manifest"; then
  echo "the manifest of all launches says that it is not complete"
  exit 1
fi
traced=$(grep -c '"trace": ' "$manifest")
launched=$(grep -c '"kernel": "stir"' "$manifest")
test "$traced" -ge 1
test "$traced" -ge $((launched - 1)) # the last launch may have been under way

manifest=ended/$name.manifest.json
"$reassemble" trace --quiet -o ended -- "$endless" endless >/dev/null 2>&1 &
end_when $! "$manifest" '"kernel": "stir"'
test $code -gt 128 || { echo "exit code $code, expected one of a signal"; exit 1; }
grep -q '"complete": false' "$manifest"
grep -q '"kernel": "stir"' "$manifest"
left=$(ls -A tmp; ls -A ended | grep -e '^\.reassemble' -e '\.tmp-' || true)
test -z "$left" || { echo "left behind: $left"; exit 1; }
