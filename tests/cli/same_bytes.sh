#!/bin/sh
# The same command twice, and with one and two jobs, gives the same bytes: traces and results.
# Usage: same_bytes.sh PROGRAM FOLDER
# shellcheck disable=SC2086 # $inputs is a list of words
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
inputs="gemm-64 collatz reduction spmv-ell histogram gemm-variants"

for run in first second; do
  "$program" trace $inputs -o "$run" --json --quiet >/dev/null
done
for file in first/*.rtrace; do
  cmp "$file" "second/${file#first/}"
done

replay() { # name, jobs
  "$program" simulate --gpu mali-g71-mp8 --json --quiet --jobs "$2" first/*.rtrace $inputs >"$1.simulate"
  "$program" rank --gpu mali-g31-mp2 --json --quiet --jobs "$2" gemm-variants >"$1.rank"
}
replay one 1
replay again 1
replay two 2
for command in simulate rank; do
  cmp "one.$command" "again.$command"
  cmp "one.$command" "two.$command"
done
