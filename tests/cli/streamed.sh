#!/bin/sh
# A trace through a pipe is the trace of the file, to the byte, and replays to the same result; one whose check fails, or
# whose kernel does, has no end.
# Usage: streamed.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

for workload in gemm-64 spmv-ell; do
  "$program" trace $workload -o . --quiet >/dev/null
  "$program" trace $workload -o - --quiet 2>report | cmp - $workload.rtrace
  grep -q " $(wc -c <$workload.rtrace) " report # the table is on stderr, and knows the length
  "$program" trace $workload -o - --quiet 2>/dev/null |
    "$program" simulate --gpu mali-g71-mp8 --json --quiet - >streamed.json
  "$program" simulate --gpu mali-g71-mp8 --json --quiet $workload.rtrace >file.json
  grep -v '"command"' streamed.json >streamed.rest # names its input
  grep -v '"command"' file.json | cmp streamed.rest -
done

fails() { # expected text on stderr, command...
  text=$1
  shift
  if "$@" 2>errors >half.rtrace; then
    echo "expected a failure of: $*" >&2
    exit 1
  fi
  grep -q "$text" errors
  if "$program" info half.rtrace >/dev/null 2>errors; then
    echo "the trace of a failed run is whole: $*" >&2
    exit 1
  fi
}
cat >k.cl <<'END'
__kernel void k(__global float *a, int last) {
  if (get_global_id(0) <= last)
    a[get_global_id(0)] = 1;
}
END
launch="--kernel k --global 4096 --local 8 --arg float[64]"
# shellcheck disable=SC2086 # $launch is a list of words
fails 'k.cl' "$program" trace k.cl $launch --arg int=100 -o -
fails 'No space left' sh -c "'$program' trace gemm-64 -o - >/dev/full"
