#!/bin/sh
# Measures the cost of a launch of a known kernel on a virtual board: processor time of all processes of a run with a thousand launches of
# one kernel, computing and the program's start included; at most 2 ms each. launch_cost.sh REASSEMBLE PROGRAM_MANY_LAUNCHES SCRATCH
set -eu
"$1" run --gpu mali-g71-mp8 --host-scale 0 -- "$2" > /dev/null
times > "$3" # in a pipe it would be that of another shell
awk 'NR == 2 { # of the children: 0m0.070s 0m0.120s
    for (i = 1; i <= 2; i++) { split($i, part, "m"); s += 60 * part[1] + part[2] }
    printf "row: known-launch,%.2f,ms of processor time\n", s
    exit s > 2
  }' "$3"
