#!/bin/sh
# Every command is run again and again on a small input, and each time another allocation fails: it has to end by itself,
# with exit 0 and the same output or with exit 1 or 2 and a message.
# Usage: allocations.sh PROGRAM PRELOADED SOURCE FOLDER [OPENCL_PROGRAM]
# $REASSEMBLE_TEST_ROUNDS (1, or a fraction) times 30 runs of a command (10 of those that take a second), spread evenly; from 20 rounds on, every
# allocation fails in turn. $REASSEMBLE_TEST_COMMANDS, a regular expression (grep): only the command lines that match are tried.
set -eu
program=$1
preloaded=$2
source=$3
folder=$4
opencl_program=${5:-}
rounds=${REASSEMBLE_TEST_ROUNDS:-1}
scaled() { awk -v most="$1" -v rounds="$rounds" 'BEGIN { n = int(most * rounds); print (rounds >= 20 ? "all" : n < 1 ? 1 : n) }'; }
few=$(scaled 10)
runs=$(scaled 30)
last=$(scaled 100)
[ "$last" != all ] || last=100
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
. "$source/tests/support/small_inputs.sh"
FAIL_PROGRAM=$(basename "$program")
export REASSEMBLE_CACHE="$folder/cache" TMPDIR="$folder" FAIL_PROGRAM
cp "$source/tests/golden/gemm-4.rtrace" t.rtrace
cat >k.cl <<'END'
__kernel void k(__global int *a, __local int *l) {
  int p[4] = {1, 2, 3, 4};
  l[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[7 - get_local_id(0)] / (1 + p[a[get_global_id(0)] & 3]);
}
END
cat >w.yaml <<'END'
schema: reassemble.workload/1
name: w
about: small
source: k.cl
buffers:
  A: {type: int, count: 64, init: index}
launches:
  - {kernel: k, global: 64, local: 8, args: [{buffer: A}, {local: 32}]}
END
cp "$source/tests/golden/gemm-64.rtrace" g.rtrace
cat >limits.yaml <<'END'
schema: reassemble.gpu/1
name: limits
about: everything that can be limited is
base: mali-g71-mp8
parameters:
  memory: dependency
  lsu_transactions_per_cycle: 1
  l1_l2_bytes_per_cycle: 16
  l1_mshrs: 8
  l2_mshrs: 16
  l2_bytes_per_cycle: 32
  dram_bytes_per_cycle: 8
  dram_banks: 8
  dram_row_miss_cycles: 20
  l2_atomics_per_cycle: 1
END
cat >s.yaml <<'END'
schema: reassemble.sweep/1
name: s
about: small
gpu: mali-g71-mp8
workloads: [t.rtrace]
axes:
  - cores: [1, 2]
  - l1_hit_cycles: [5, 9]
END
cat >three.yaml <<'END'
schema: reassemble.workload/1
name: three
about: small
source: k.cl
buffers:
  A: {type: int, count: 64, init: index}
launches:
  - {kernel: k, global: 64, local: 8, args: [{buffer: A}, {local: 32}]}
  - {kernel: k, global: 32, local: 8, args: [{buffer: A}, {local: 32}]}
  - {kernel: k, global: 16, local: 8, args: [{buffer: A}, {local: 32}]}
END
write_board
bad=0

# Output that may differ: times of this machine, and what a report says in place of a result.
left_out() { # command...
  [ -n "${REASSEMBLE_TEST_COMMANDS:-}" ] && ! echo "$*" | grep -q -e "$REASSEMBLE_TEST_COMMANDS"
}

may_differ() { # command
  [ "$1" = trace ] || [ "$1" = measure ] || grep -q -e "out of memory" -e "the compiler was killed" stdout
}

run() { # number of the allocation that fails, command...
  number=$1
  shift
  rm -rf out
  status=0
  FAIL_AT=$number LD_PRELOAD=$preloaded timeout 300 "$program" "$@" >stdout 2>stderr || status=$?
}

# Traces and results in the output folder are those of the run in which nothing failed. A launch that the layer had no memory for is
# skipped, and the manifest says why.
may_skip=no
same_files() {
  for file in expected-out/*.rtrace expected-out/results.csv; do
    made=out/${file#expected-out/}
    [ -e "$file" ] || continue
    [ $may_skip = no ] || [ -e "$made" ] || grep -q '"skipped"' out/*.manifest.json || return 1
    [ ! -e "$made" ] && [ $may_skip = yes ] || cmp -s "$file" "$made" || return 1
  done
}

keep_files() {
  rm -rf expected-out
  [ ! -d out ] || mv out expected-out
}

judge() { # which allocation, command...
  which=$1
  shift
  if [ $status = 0 ] && ! same_files; then
    echo "allocation $which: other files and exit 0: $*" >&2
    bad=$((bad + 1))
  elif [ $status = 0 ] && ! cmp -s expected stdout && ! may_differ "$1"; then
    echo "allocation $which: another output and exit 0: $*" >&2
    bad=$((bad + 1))
  elif [ $status != 0 ] && { [ $status -gt 2 ] || ! [ -s stderr ]; }; then
    echo "allocation $which: exit $status: $*: $(head -c 300 stderr)" >&2
    bad=$((bad + 1))
  fi
}

try() { # command...
  try_from 1 "$@"
}

try_from() { # number of the first allocation (negative: counted from the end, and every one from there on), command...
  first=$1
  shift
  ! left_out "$@" || return 0
  rm -rf out
  FAIL_COUNT="$folder/count" FAIL_AT=0 LD_PRELOAD=$preloaded "$program" "$@" >expected 2>stderr
  keep_files
  total=$(cat count)
  step=1
  [ "$runs" = all ] || step=$(((total + runs - 1) / runs))
  number=$first
  [ "$first" -gt 0 ] || { number=$((total + first)); step=1; }
  while [ $number -le "$total" ]; do
    run $number "$@"
    judge "$number of $total" "$@"
    number=$((number + step))
  done
  echo "$total allocations, every ${step}th: $*"
}

# The same by places (fail_allocation.c): for commands that start a program, whose pace changes numbers of allocations, and for
# those that emulate, because `try` counts the allocations of the first process alone.
try_places() { # command...
  ! left_out "$@" || return 0
  rm -rf out places
  FAIL_PLACES="$folder/places" LD_PRELOAD=$preloaded "$program" "$@" >expected 2>stderr
  keep_files
  sort -u places >all
  total=$(wc -l <all)
  step=1
  [ "$runs" = all ] || step=$(((total + runs - 1) / runs))
  for place in $(awk -v step="$step" 'NR % step == 1 || step == 1' all); do
    rm -rf out
    status=0
    FAIL_PLACE=$place LD_PRELOAD=$preloaded timeout 300 "$program" "$@" >stdout 2>stderr || status=$?
    judge "at place $place" "$@"
  done
  echo "$total places of allocations, every ${step}th: $*"
}

try info t.rtrace
try info --blocks t.rtrace
try simulate --gpu mali-g71-mp8 --quiet t.rtrace
try simulate --gpu mali-g71-mp8 --quiet --detail --json t.rtrace
try simulate --gpu mali-g71-mp8 --quiet --timeline timeline t.rtrace
try simulate --gpu mali-g31-mp2 --quiet t.rtrace
try_from "-$last" simulate --gpu limits.yaml --quiet g.rtrace
try rank --gpu mali-g71-mp8 --quiet t.rtrace t.rtrace
cp "$source/tests/cli/rank_names_other_results/sums.cl" .
try rank --gpu generic-scalar --quiet sums.cl --kernels forwards,half_of_them --global 64 \
  --arg 'float[64*100]=uniform(0,2)' --arg 'float[64]' --arg 'int[64]' --arg int=100
cat >vary.cl <<'END'
kernel void v(global int *a) {
  for (int i = 0; i < N; i++)
    a[get_global_id(0)] += i;
}
END
try rank --gpu mali-g71-mp8 --quiet vary.cl --vary N=1,2,3 --require 'N < 3' --global '${64 * N}' --local 8 --arg 'int[${64 * N}]'
try dse s.yaml --quiet -o out
try_from -40 dse s.yaml --quiet -o out # names of points are made last
try params --gpu mali-g71-mp8
try list gpus
try trace w.yaml --quiet -o out
try_places trace w.yaml --quiet -o out
try_places trace three.yaml --jobs 2 --quiet -o out
try info k.cl
try_places info k.cl
try validate --gpu mali-g71-mp8 --board board.json --quiet
try validate --gpu mali-g71-mp8 --board board.json --journal known --quiet # which holds all results after the first run
try tune --board board.json --params arith --method coordinate --evaluations 4 --quiet
try baseline --board board.json --quiet
"$program" simulate --gpu mali-g71-mp8 --json --quiet t.rtrace >simulated.json
try report simulated.json -o page.html
try completion bash

write_program_times here 1
write_program_times there 1.5
try calibrate here.json there.json -o factors.json
runs=$few
if command -v spirv-opt >/dev/null && "$program" draw "$source/datasets/graphics/flat.rframe" -o drawn --quiet >drawn.txt 2>&1; then
  try draw "$source/datasets/graphics/flat.rframe" -o out --quiet
  try_places draw "$source/datasets/graphics/flat.rframe" -o out --quiet
  try frame drawn/flat --gpu mali-g71-mp8 --quiet
fi
if [ -n "$opencl_program" ]; then
  # OpenCL's own library, which is loaded into this program to measure, and into others, may crash: its allocations succeed.
  FAIL_LIBRARY=/reassemble
  export FAIL_LIBRARY
  try measure w.yaml --runs 1 --warm-up 0 --quiet
  unset FAIL_LIBRARY
  try_places run --gpu mali-g71-mp8 --host-scale 0 --report --quiet -- "$opencl_program"
  try_places run --gpu mali-g71-mp8 --host-scale 0 --compute emulator --quiet -- "$opencl_program"
  try_places trace -o out --quiet -- "$opencl_program"
  # The layers inside of the program: its own results stay, whatever becomes of the layer's.
  FAIL_LIBRARY=libreassemble FAIL_PROGRAM=$(basename "$opencl_program")
  export FAIL_LIBRARY
  runs=all may_skip=yes
  try run --gpu mali-g71-mp8 --host-scale 0 --quiet -- "$opencl_program"
  try trace -o out --quiet -- "$opencl_program"
fi
[ $bad = 0 ] || { echo "$bad runs ended badly" >&2; exit 1; }
