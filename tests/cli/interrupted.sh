#!/bin/sh
# An emulation that is ended by a signal, or that fails, leaves no temporary folder behind; nor does the capture of a
# program, which is ended, too, even if it takes no notice.
# Usage: interrupted.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder/tmp"
cd "$folder"
export TMPDIR="$folder/tmp"

cat >k.cl <<'KERNEL'
__kernel void k(__global float *a) {
  while (a[0] < 1)
    a[1] += 1;
}
KERNEL
cat >w.yaml <<'WORKLOAD'
schema: reassemble.workload/1
name: w
about: a launch that never ends
source: k.cl
buffers:
  A: {type: float, count: 64}
launches:
  - {kernel: k, global: 64, local: 8, args: [{buffer: A}]}
WORKLOAD

nothing_left() {
  left=$(ls -A tmp)
  test -z "$left" || { echo "$1: left behind: $left"; exit 1; }
}

for signal in TERM HUP; do
  "$program" simulate --gpu mali-g71-mp8 --quiet --timeout 50 w.yaml &
  process=$!
  while test -z "$(ls tmp)"; do
    kill -0 $process
    sleep 0.05
  done
  kill -$signal $process
  code=0
  wait $process || code=$?
  test $code -gt 128 || { echo "$signal: exit code $code, expected one of a signal"; exit 1; }
  nothing_left $signal
done

code=0
"$program" simulate --gpu mali-g71-mp8 --quiet --timeout 0.5 w.yaml 2>error.txt || code=$?
test $code -eq 1 || { echo "timeout: exit code $code, expected 1"; exit 1; }
nothing_left timeout

# A sweep says what it has kept, and goes on from there.
cat >s.yaml <<SWEEP
schema: reassemble.sweep/1
name: s
about: many points
gpu: mali-g71-mp8
workloads: [$REASSEMBLE_DATA/tests/golden/gemm-64.rtrace]
axes:
  - cores: {from: 1, to: 32, step: 1}
  - l1_miss_cycles: {from: 1, to: 40, step: 1}
SWEEP
env --default-signal=INT "$program" dse s.yaml --exact --quiet -o sweep 2>error.txt &
process=$!
until test -s sweep/journal && test "$(wc -l <sweep/journal)" -gt 10; do
  kill -0 $process
  sleep 0.02
done
kill -INT $process
code=0
wait $process || code=$?
test $code -eq 130 || { echo "sweep: exit code $code, expected 130"; exit 1; }
echo "reassemble: interrupted. sweep/journal keeps the results so far: the same command with --resume goes on" |
  diff - error.txt
left=$(ls -A sweep)
test "$left" = journal || { echo "sweep: left behind: $left"; exit 1; }
"$program" dse s.yaml --exact --quiet -o sweep --resume --timeout 0.2 2>error.txt >out.txt || code=$?
test $code -eq 1 && test ! -s out.txt || { echo "resumed: exit code $code"; exit 1; }

cat >program.sh <<'PROGRAM'
trap "$1" TERM
echo $$ >pid
while true; do sleep 0.1; done
PROGRAM
# Several times each: the signal may come as soon as the program runs.
for notice in "exit 3" "" "exit 3" "" "exit 3" "exit 3"; do
  rm -f pid
  "$program" trace --quiet -o traces -- sh program.sh "$notice" &
  process=$!
  while ! test -s pid; do
    kill -0 $process
  done
  kill -TERM $process
  code=0
  wait $process || code=$?
  test $code -gt 128 || { echo "program: exit code $code, expected one of a signal"; exit 1; }
  ! kill -0 "$(cat pid)" 2>/dev/null || { echo "the program still runs"; kill -KILL "$(cat pid)"; exit 1; }
  nothing_left program
done

# A program that cuts off what its capture shares with it: the work fails, the program ends, nothing stays.
code=0
"$program" trace --quiet -o traces -- sh -c 'echo $$ >pid; : >"$REASSEMBLE_CAPTURE/control"; exec sleep 100' 2>error.txt || code=$?
test $code -eq 1 && grep -q "cut off by another program" error.txt || { echo "cut off: exit code $code"; cat error.txt; exit 1; }
! kill -0 "$(cat pid)" 2>/dev/null || { echo "cut off: the program still runs"; exit 1; }
nothing_left "cut off"
