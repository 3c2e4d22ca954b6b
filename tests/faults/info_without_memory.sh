#!/bin/sh
# The first allocations of the process that builds a kernel for `info`, which confines itself: where one fails, the kernel is not
# listed as one that cannot be emulated, with exit code 0. Each is tried alone.
# Usage: info_without_memory.sh PROGRAM PRELOADED SOURCE FOLDER
set -eu
program=$1 preloaded=$2 source=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
REASSEMBLE_DATA=$source FAIL_PROGRAM=$(basename "$program")
export REASSEMBLE_DATA FAIL_PROGRAM
echo 'kernel void k(global int *a) { a[get_global_id(0)] += 1; }' >k.cl
REASSEMBLE_CACHE=cache "$program" info k.cl -j 1 >whole
failed=0
for number in $(seq 16); do
  rm -rf cache
  status=0
  REASSEMBLE_CACHE=cache FAIL_PROCESS=3 FAIL_AT=$number LD_PRELOAD=$preloaded "$program" info k.cl -j 1 >out 2>errors || status=$?
  case $status in
  0) cmp -s out whole || { cat out errors; echo "allocation $number: exit code 0 and another output"; exit 1; } ;;
  1) grep -qi memory errors || { cat errors; echo "allocation $number: no message about memory"; exit 1; }
     failed=$((failed + 1)) ;;
  *) echo "allocation $number: exit code $status"; exit 1 ;;
  esac
done
[ "$failed" -ge 3 ] || { echo "$failed of 16 allocations made info fail, expected at least 3"; exit 1; }
