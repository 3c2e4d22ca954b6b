#!/bin/sh
# A workload traced and each of its traces simulated, by a program that was built with sanitizers: any report of theirs fails.
# Usage: trace_and_simulate.sh PROGRAM WORKLOAD FOLDER
set -eu
program=$1
workload=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
run() {
  "$program" "$@" >output 2>&1 || { cat output; exit 1; }
  if grep -E 'Sanitizer|runtime error:' output; then cat output; exit 1; fi
}
run trace --quiet --jobs 2 "$workload" -o traces
run simulate --quiet --jobs 2 --gpu mali-g71-mp8 traces/*.rtrace
cd ..
rm -r "$folder"
