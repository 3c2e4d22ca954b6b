#!/bin/sh
# Every command is run again and again on the smallest input that reaches its work, and each time another allocation
# fails (fail_each.c says when a run is at fault): by numbers, and by places, which are counted in all processes and in
# libraries too.
# Usage: allocations.sh PROGRAM PRELOADED FAIL_EACH SOURCE FOLDER [OPENCL_PROGRAM]
# $REASSEMBLE_TEST_ROUNDS (1, or another number, or "all") times 24 numbers of a command line are tried, or 12 places
# of one that takes longer; all: both, and
# 1,500 numbers at most of those that take longer. $REASSEMBLE_TEST_COMMANDS, an extended regular expression (grep -E):
# only the command lines that match. $REASSEMBLE_TEST_WAYS, "numbers" or "places": in one of both ways only.
set -eu
program=$1
preloaded=$2
fail_each=$3
source=$4
folder=$5
opencl_program=${6:-}
rounds=${REASSEMBLE_TEST_ROUNDS:-1}
ways=${REASSEMBLE_TEST_WAYS:-}
scaled() { awk -v most="$1" -v rounds="$rounds" 'BEGIN { n = int(most * rounds); print (rounds == "all" ? 0 : n < 1 ? 1 : n) }'; }
rm -rf "$folder"
mkdir -p "$folder/cold/inputs"
cd "$folder/cold/inputs"
. "$source/tests/support/small_inputs.sh"
REASSEMBLE_DATA=$source
FAIL_PROGRAM=$(basename "$program")
export REASSEMBLE_DATA FAIL_PROGRAM
bad=0

cp "$source/tests/golden/gemm-4.rtrace" t.rtrace
cp "$source/tests/golden/gemm-64.rtrace" g.rtrace
cp "$source/tests/cli/rank_names_other_results/sums.cl" "$source/datasets/graphics/flat.rframe" .
cat >k.cl <<'END_OF_KERNEL'
__kernel void k(__global int *a, __local int *l) {
  int p[4] = {1, 2, 3, 4};
  l[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[7 - get_local_id(0)] / (1 + p[a[get_global_id(0)] & 3]);
}
END_OF_KERNEL
cat >vary.cl <<'END_OF_KERNEL'
kernel void v(global int *a) {
  for (int i = 0; i < N; i++)
    a[get_global_id(0)] += i;
}
END_OF_KERNEL
write_workload() { # name, global sizes: NAME.yaml, a launch of k.cl of each size
  printf 'schema: reassemble.workload/1\nname: %s\nabout: small\nsource: k.cl\nbuffers:\n  A: {type: int, count: 64, init: index}\nlaunches:\n' "$1"
  for size in $2; do
    echo "  - {kernel: k, global: $size, local: 8, args: [{buffer: A}, {local: 32}]}"
  done
}
write_workload w 64 >w.yaml
write_workload three '64 32 16' >three.yaml
cat >limits.yaml <<'END_OF_GPU'
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
END_OF_GPU
cat >s.yaml <<'END_OF_SWEEP'
schema: reassemble.sweep/1
name: s
about: small
gpu: mali-g71-mp8
workloads: [t.rtrace]
axes:
  - cores: [1, 2]
  - l1_hit_cycles: [5, 9]
END_OF_SWEEP
write_board
write_program_times here 1
write_program_times there 1.5
"$program" simulate --gpu mali-g71-mp8 --json --quiet t.rtrace >simulated.json
"$program" simulate --gpu mali-g71-mp8 --detail --json --quiet g.rtrace >detailed.json
for share in 1 2; do
  "$program" dse s.yaml --shard $share/2 -o share$share --quiet >"$folder/made.txt"
done
"$program" dse merge share1 share2 -o whole --quiet >"$folder/made.txt"
# A sweep that was ended after its first points.
"$program" dse s.yaml -o begun --quiet >"$folder/made.txt"
head -n 4 begun/journal >"$folder/journal"
rm -rf begun && mkdir begun && mv "$folder/journal" begun/journal
# Tries a command line, as $ways says. $kept: cold, or warm: compiled kernels are in the cache already.
# -k: a GPU's file whose base is not found for want of memory is reported as bad input (exit code 2).
# $few: so many times fewer runs, and by numbers not those of libyaml, which the quick ones cover, and 1,500 at most.
kept=cold few=1 options=
try_nightly() {
  [ "$rounds" != all ] || try "$@"
}
try() { # command...
  [ -z "${REASSEMBLE_TEST_COMMANDS:-}" ] || echo "$kept: $*" | grep -qE -e "$REASSEMBLE_TEST_COMMANDS" || return 0
  both=numbers
  [ $few = 1 ] || both=places
  [ "$rounds" != all ] || both='numbers places'
  for way in ${ways:-$both}; do
    by=
    most=$(scaled $((24 / few)))
    [ "$most" != 0 ] || [ $few = 1 ] || most=1500
    [ $way = numbers ] || { by=-p most=$(scaled $((12 / few))); }
    case $1 in trace | measure) by="$by -r" ;; esac
    left_out=none
    [ $few = 1 ] || left_out=libyaml
    # shellcheck disable=SC2086 # words
    FAIL_LEFT_OUT=$left_out "$fail_each" $by ${verbose:+-v} -n "$most" $options "$preloaded" "$folder/$kept" "$program" "$@" || bad=$((bad + 1))
  done
}

try info t.rtrace -j 1
try info --blocks t.rtrace -j 1
try_nightly info --races --json t.rtrace -j 1
try info --dot flow.dot t.rtrace -j 1
try simulate --gpu mali-g71-mp8 --quiet t.rtrace -j 1
try simulate --gpu mali-g71-mp8 --quiet --detail --json t.rtrace -j 1
try simulate --gpu mali-g71-mp8 --quiet --detail --plot --timeline timeline t.rtrace -j 1
try_nightly simulate --gpu mali-g71-mp8,rtx-2080-ti --set cores=x2 --quiet t.rtrace -j 1
try simulate --gpu mali-g31-mp2 --quiet t.rtrace -j 1
try simulate --gpu mali-g71-mp8 --quiet --sample g.rtrace -j 1
try simulate --gpu limits.yaml --quiet t.rtrace -j 1
try simulate --gpu mali-g71-mp8 --quiet --ablate t.rtrace -j 1
try rank --gpu mali-g71-mp8 --quiet t.rtrace t.rtrace --explain t,t --plot -j 1
try params --gpu mali-g71-mp8
try_nightly params --gpu mali-g71-mp8 --sources --json
try list gpus
few=2 # it reads two hundred files, all in the same way
try_nightly list workloads --tag gemm
few=1
try list boards --json
try_nightly list sweeps
try completion bash
try completion man rank
try help simulate
try report simulated.json detailed.json -o page.html -j 1
try report whole -o page.html -j 1
try calibrate here.json there.json -o factors.json -j 1
try dse s.yaml --plan -j 1
# The journal is what --resume goes on from. Where there is no memory to record a replay, designs are replayed exactly, and
# the journal of intervals says so.
options='-c journal -d intervals.journal'
try dse s.yaml --quiet -o out -j 1
try dse s.yaml --quiet -o out -j 1 --exact --target 1.1 --diff 1,2 --plot --json
try dse s.yaml --quiet -o begun -j 1 --resume
options=
try dse merge share1 share2 -o out --json -j 1
try baseline --board board.json --no-traces --quiet -j 1

kernels='sums.cl --kernels forwards,half_of_them --global 64 --arg float[64*100]=uniform(0,2) --arg float[64] --arg int[64] --arg int=100'
launch='--global 64 --local 8 --arg int[64]=index --arg local=32'
few=3
try trace w.yaml --quiet -o out -j 1
try trace three.yaml --quiet --json -o out -j 2
try_nightly rank --gpu generic-scalar --quiet $kernels -j 1
try info k.cl -j 1
try_nightly info k.cl --blocks --json -j 1

# Once a kernel is compiled, clang and LLVM are not needed again.
mkdir -p "$folder/warm" "$folder/made"
cp -r "$folder/cold/inputs" "$folder/warm/inputs"
(
  cd "$folder/made"
  cp -r ../cold/inputs/. .
  REASSEMBLE_CACHE="$folder/warm/inputs/cache"
  export REASSEMBLE_CACHE
  # shellcheck disable=SC2086 # words
  for work in 'trace three.yaml' "trace k.cl $launch" "rank --gpu generic-scalar $kernels" 'rank --gpu mali-g71-mp8 vary.cl --vary N=1,2 --global 64 --local 8 --arg int[64]'; do
    "$program" $work --quiet -j 1 >made.txt
  done
)
kept=warm few=2
try trace w.yaml --quiet -o out -j 1
try trace k.cl $launch --quiet -o - -j 1
try trace three.yaml --quiet --json -o out -j 2
try simulate --gpu mali-g71-mp8 --quiet k.cl $launch -j 1
try rank --gpu generic-scalar --quiet $kernels -j 1
try rank --gpu mali-g71-mp8 --quiet vary.cl --vary N=1,2,3 --require 'N < 3' --global '${64 * N}' --local 8 --arg 'int[${64 * N}]' -j 1
try validate --gpu mali-g71-mp8 --board board.json --quiet -j 1
options='-c points.journal'
try validate --gpu mali-g71-mp8 --board board.json --journal points.journal --quiet -j 1
options='-c tuned.yaml.journal'
try tune --board board.json --params arith --method coordinate --evaluations 2 --quiet -o tuned.yaml -j 1
options=-l # XGBoost has such variables
few=6
try baseline --board board.json --cv kfold=2 --quiet -j 1
options=

few=3
if command -v spirv-opt >/dev/null && (cd "$folder/cold/inputs" && "$program" draw flat.rframe -o drawn --quiet >"$folder/made.txt" 2>&1); then
  REASSEMBLE_CACHE="$folder/warm/inputs/cache" "$program" draw "$folder/cold/inputs/flat.rframe" -o "$folder/drawn" --quiet >"$folder/made.txt"
  kept=warm options='-m out/flat' # the picture without the draws that are left out
  try draw flat.rframe -o out --quiet -j 1
  try_nightly draw flat.rframe -o out --no-trace --json -j 1
  kept=cold
  try_nightly draw flat.rframe -o out --quiet -j 1
  few=2 options=
  try frame drawn/flat --gpu mali-g71-mp8 --quiet -j 1
  try_nightly frame drawn/flat --gpu mali-g71-mp8 --immediate --json -j 1
  few=3
fi
if [ -n "$opencl_program" ]; then
  kept=cold
  try run --gpu mali-g71-mp8 --host-scale 0 --report --quiet -j 1 -- "$opencl_program"
  options='-m timeline'
  try_nightly run --gpu mali-g71-mp8 --host-scale 0 --compute emulator --timeline timeline --json -j 1 -- "$opencl_program"
  options='-m manifest.json'
  try trace -o out --quiet -j 1 -- "$opencl_program"
  options=
  # By number: of the project's own code alone.
  FAIL_LIBRARY=/reassemble
  export FAIL_LIBRARY
  try measure w.yaml --runs 1 --warm-up 0 --quiet
  try measure --devices
  # The layers inside of the program: its own results stay, whatever becomes of the layer's.
  FAIL_LIBRARY=libreassemble FAIL_PROGRAM=$(basename "$opencl_program")
  options='-s .rtrace -m manifest.json'
  try run --gpu mali-g71-mp8 --host-scale 0 --quiet -j 1 -- "$opencl_program"
  try trace -o out --quiet -j 1 -- "$opencl_program"
fi
[ $bad = 0 ] || { echo "$bad command lines with runs at fault" >&2; exit 1; }
