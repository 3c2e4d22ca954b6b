#!/bin/sh
# Launches that repeat an earlier one get the traces, to the byte, that their emulation makes, and the manifest says so.
# Usage: repeated_launches.sh REASSEMBLE FOLDER REPEATS PROGRAM [ARGUMENT]; REPEATS: how many launches repeat others
set -eu
reassemble=$1
folder=$2
repeats=$3
program=$4
shift 4
name=$(basename "$program")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$reassemble" trace --quiet -o copied -- "$program" "$@" >/dev/null 2>copied.log || { cat copied.log; exit 1; }
"$reassemble" trace --quiet --every-launch -o emulated -- "$program" "$@" >/dev/null 2>emulated.log || { cat emulated.log; exit 1; }
found=$(grep -c '"result": "repeated"' "copied/$name.manifest.json" || true)
test "$found" -eq "$repeats" || { echo "$found launches repeat others, expected $repeats"; exit 1; }
test "$(grep -c '"repeats": ' "copied/$name.manifest.json" || true)" -eq "$repeats"
grep -q '"repeats": ' "emulated/$name.manifest.json" && { echo "--every-launch did not emulate every launch"; exit 1; }
rm copied/*.manifest.json emulated/*.manifest.json
diff -r copied emulated
