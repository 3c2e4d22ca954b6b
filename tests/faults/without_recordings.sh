#!/bin/sh
# Where a recording of a replay has no memory, dse and tune replay exactly, give the same answers, and say once why that took
# longer. Some allocations fail, one in each run: a run that ends well and says nothing has the journals of a run without a
# failure. Usage: without_recordings.sh PROGRAM PRELOADED SOURCE FOLDER
set -eu
program=$1 preloaded=$2 source=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
. "$source/tests/support/small_inputs.sh"
cp "$source/tests/golden/gemm-4.rtrace" t.rtrace
REASSEMBLE_DATA=$source REASSEMBLE_CACHE=$folder/cache
export REASSEMBLE_DATA REASSEMBLE_CACHE
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
cat >k.cl <<'END'
kernel void k(global int *a) {
  a[get_global_id(0)] += a[get_global_id(0) / 2];
}
END
cat >three.yaml <<'END'
schema: reassemble.workload/1
name: three
source: k.cl
buffers:
  A: {type: int, count: 64, init: index}
launches:
  - {kernel: k, global: 64, local: 8, args: [{buffer: A}]}
  - {kernel: k, global: 32, local: 8, args: [{buffer: A}]}
  - {kernel: k, global: 16, local: 8, args: [{buffer: A}]}
END
write_board
sentence='reassemble: memory ran out for the recordings of some replays; where one was missing, each GPU was replayed exactly, which takes longer'
fail() {
  echo "$*"
  exit 1
}
sweep() { # folder: its answers go to answers, its journals to notes
  "$program" dse s.yaml -o "$1" -j 1 >output 2>errors || return 1
  cat "$1/results.csv" "$1/results.json" "$1/journal" >answers
  cat "$1/intervals.journal" >notes
}
fit() {
  mkdir -p "$1"
  "$program" tune --board board.json --params l1_hit --method coordinate --evaluations 12 --json -o "$1/tuned.yaml" -j 1 \
    >output 2>errors || return 1
  cat "$1/tuned.yaml" output >answers
  : >notes
}
# try COMMAND STEP: fails the first allocation of every STEPth place.
try() {
  command=$1 step=$2
  $command made # what is compiled once
  rm -rf made places
  FAIL_PLACES=$folder/places LD_PRELOAD=$preloaded $command made
  rm -rf made
  cp answers answers_expected
  cp notes notes_expected
  ! grep -q "memory ran out" errors || fail "$command: $(cat errors)"
  told=0 runs=0
  for number in $(cut -d ' ' -f 2- places | grep '^0 ' | cut -d ' ' -f 2 | sort -n | awk -v step="$step" 'NR % step == 0'); do
    code=0
    runs=$((runs + 1))
    FAIL_AT=$number LD_PRELOAD=$preloaded $command made || code=$?
    rm -rf made
    [ $code = 0 ] || continue
    cmp -s answers answers_expected || fail "$command, allocation $number: other answers with exit code 0"
    if grep -q "memory ran out" errors; then
      [ "$(grep -cxF "$sentence" errors)" = 1 ] || fail "$command, allocation $number: $(cat errors)"
      told=$((told + 1))
    else
      cmp -s notes notes_expected || fail "$command, allocation $number: other notes, and nothing is said"
    fi
  done
  echo "$command: $runs runs, $told of them without a recording"
  [ $told -gt 0 ] || fail "no allocation of a recording was among them"
}
try sweep 16
try fit 16
