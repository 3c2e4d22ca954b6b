#!/bin/sh
# A shipped sweep still says what is kept of it in tests/accuracy/sweeps, where the numbers of docs/thesis-sweeps.md are from;
# and how long it took. REASSEMBLE_UPDATE_CASES=1 keeps what it says now; the diff is the review.
# Usage: sweep.sh PROGRAM FOLDER SWEEP OPTION...
set -eu
kept=$(cd "$(dirname "$0")" && pwd)/sweeps
program=$1
folder=$2
sweep=$3
shift 3
rm -rf "$folder/$sweep"
mkdir -p "$folder"
cd "$folder"
begin=$(date +%s)
"$program" dse "$sweep" -o "$sweep" --quiet "$@" >"$sweep.txt"
echo "$sweep: $(($(date +%s) - begin)) s"
test -z "${REASSEMBLE_UPDATE_CASES:-}" || cp "$sweep.txt" "$kept/$sweep.txt"
diff -u "$kept/$sweep.txt" "$sweep.txt"
