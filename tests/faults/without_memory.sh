#!/bin/sh
# Allocations that a few of `faults/allocations` seldom meet, one at a time: a run without one ends with exit code 1 and a message
# about memory, or with exit code 0 and its whole output, and leaves no temporary folder.
# Usage: without_memory.sh PROGRAM PRELOADED SOURCE FOLDER
set -eu
program=$1 preloaded=$2 source=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder/scratch"
cd "$folder"
. "$source/tests/support/small_inputs.sh"
REASSEMBLE_DATA=$source FAIL_PROGRAM=$(basename "$program") REASSEMBLE_CACHE=cache TMPDIR=$folder/scratch
export REASSEMBLE_DATA FAIL_PROGRAM REASSEMBLE_CACHE TMPDIR

# each PROCESS FIRST LAST LEAST COMMAND...: at least LEAST of the allocations FIRST to LAST of the process make the command fail.
each() {
  process=$1 first=$2 last=$3 least=$4
  shift 4
  "$program" "$@" >whole
  failed=0
  for number in $(seq "$first" "$last"); do
    [ "$process" = 0 ] || rm -rf cache
    status=0
    FAIL_PROCESS=$process FAIL_AT=$number LD_PRELOAD=$preloaded "$program" "$@" >out 2>errors || status=$?
    case $status in
    0) cmp -s out whole || { cat out errors; echo "$*: without allocation $number exit code 0 and another output"; exit 1; } ;;
    1) grep -qi memory errors || { cat errors; echo "$*: without allocation $number no message about memory"; exit 1; }
       failed=$((failed + 1)) ;;
    *) cat errors; echo "$*: without allocation $number exit code $status"; exit 1 ;;
    esac
    [ -z "$(ls scratch)" ] || { echo "$*: without allocation $number it leaves $(ls scratch)"; exit 1; }
  done
  [ "$failed" -ge "$least" ] || { echo "$*: $failed of allocations $first to $last made it fail, expected at least $least"; exit 1; }
}

# The process that builds a kernel for `info` confines itself: a kernel that it does not build is not one that cannot be emulated.
echo 'kernel void k(global int *a) { a[get_global_id(0)] += 1; }' >k.cl
each 3 1 16 3 info k.cl -j 1

# GSL uses a minimiser for which it has no memory, and its failures are not those of a regression.
printf 'schema: reassemble.workload/1\nname: three\nabout: small\nsource: k.cl\nbuffers:\n  A: {type: int, count: 64, init: index}\nlaunches:\n' >three.yaml
for size in 64 32 16; do echo "  - {kernel: k, global: $size, local: 8, args: [{buffer: A}]}" >>three.yaml; done
write_board
FAIL_LIBRARY=libgsl
export FAIL_LIBRARY
each 0 512 528 10 baseline --board board.json --cv kfold=2 --quiet -j 1
unset FAIL_LIBRARY

# A file of a frame that is read without memory is not damaged, and a shader's translation has no names of nothing.
cp "$source/datasets/graphics/flat.rframe" .
if "$program" draw flat.rframe -o drawn --quiet >drawn.txt 2>&1; then
  each 0 18 26 5 draw flat.rframe -o drawn --quiet -j 1
  each 0 85 96 4 draw flat.rframe -o drawn --quiet -j 1
  FAIL_LIBRARY=libzstd
  export FAIL_LIBRARY
  each 0 1 6 1 frame drawn/flat --gpu mali-g71-mp8 --quiet -j 1

  # libgomp ends the program where it has no memory: the temporary folder goes as well.
  FAIL_LIBRARY=libgomp
  each 0 1 4 1 frame drawn/flat --gpu mali-g71-mp8 --quiet -j 2
fi
