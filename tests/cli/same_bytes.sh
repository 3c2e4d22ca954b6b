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

# A seed of one's own: other contents, unless it is the workload's.
"$program" trace spmv-ell --seed 1 -o own --quiet >/dev/null
"$program" trace spmv-ell --seed 2 -o other --quiet >/dev/null
cmp first/spmv-ell.rtrace own/spmv-ell.rtrace
if cmp -s first/spmv-ell.rtrace other/spmv-ell.rtrace; then echo "--seed 2 changes nothing" >&2; exit 1; fi

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

# One launch that is long enough for several threads (docs/replay.md).
for jobs in 1 2 5; do
  "$program" simulate --gpu mali-g71-mp8 --json --quiet --jobs $jobs first/gemm-64.rtrace >"long.$jobs"
done
cmp long.1 long.2
cmp long.1 long.5
