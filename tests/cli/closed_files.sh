#!/bin/sh
# A trace ends, and is the same, whichever of stdin, stdout and stderr the caller has closed. Without stdout the command fails,
# because its result cannot be written, and the trace is there all the same.
# Usage: closed_files.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

run() { timeout 60 "$program" trace saxpy --quiet -o "$1"; }
check() { # NAME CODE EXPECTED
  [ "$2" = "$3" ] || { echo "$1 closed: exit code $2, expected $3"; exit 1; }
  cmp "$1/saxpy.rtrace" none/saxpy.rtrace
}
run none >/dev/null
code=0; run in_out 0<&- 1>&- || code=$?; check in_out $code 1
code=0; run in_err 0<&- 2>&- >/dev/null || code=$?; check in_err $code 0
code=0; run out_err 1>&- 2>&- || code=$?; check out_err $code 1
code=0; run all 0<&- 1>&- 2>&- || code=$?; check all $code 1
