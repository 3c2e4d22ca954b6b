#!/bin/sh
# Kills, and folders that go away, at random moments of `trace` and `dse`. Files under final names are whole, the next run
# goes on or begins anew and gives the bytes of a run that nobody disturbed, and it removes what the killed ones left.
# Usage: kills.sh PROGRAM SOURCE FOLDER    ($REASSEMBLE_TEST_ROUNDS times 6 kills of each command)
set -eu
program=$1
source=$2
folder=$3
kills=$(awk -v rounds="${REASSEMBLE_TEST_ROUNDS:-1}" 'BEGIN{n = int(6 * rounds); print n < 1 ? 1 : n}')
rm -rf "$folder"
mkdir -p "$folder/tmp"
cd "$folder"
export TMPDIR="$folder/tmp" REASSEMBLE_DATA="$source"
cat >s.yaml <<SWEEP
schema: reassemble.sweep/1
name: s
about: many points
gpu: mali-g71-mp8
workloads: [$source/tests/golden/gemm-64.rtrace]
axes:
  - cores: [1, 2, 4, 8]
  - l1_miss_cycles: {from: 10, to: 19, step: 1}
SWEEP
work="saxpy gemm-64 reduction"

"$program" trace $work --quiet -o whole >/dev/null
"$program" dse s.yaml --exact --quiet -o whole-sweep >/dev/null

disturb() { # number, what is done to the process, command...
  number=$1
  how=$2
  shift 2
  "$program" "$@" >out 2>errors &
  process=$!
  sleep "$(awk -v seed="$number" 'BEGIN{srand(seed); printf "%.3f", 0.7 * rand()}')"
  $how "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || true
}

kill_it() { kill -KILL "$1"; }
hang_up() { kill -HUP "$1"; }
remove_folder() { rm -rf gone; }

number=0
while [ $number -lt "$kills" ]; do
  number=$((number + 1))
  disturb $number kill_it trace $work --quiet -o traces
  for trace in traces/*.rtrace; do
    [ ! -e "$trace" ] || "$program" info "$trace" >/dev/null
  done
  disturb $number kill_it dse s.yaml --exact --quiet -o sweep $([ ! -e sweep/journal ] || echo --resume)
done
# A signal that can be handled leaves no folder, also where a worker makes a file in it at that moment.
number=0
while [ $number -lt "$kills" ]; do
  number=$((number + 1))
  disturb $number hang_up trace $work --quiet -o ended
  left=$(ls -A ended 2>/dev/null | grep '^\.reassemble' || true)
  [ -z "$left" ] || { echo "left behind by SIGHUP: $left" >&2; exit 1; }
  rm -rf ended
done
for number in 1 2; do # the command ends by itself, and leaves nothing
  disturb $number remove_folder trace $work --quiet -o gone
  rm -rf gone
done

"$program" trace $work --quiet -o traces >/dev/null 2>&1
"$program" dse s.yaml --exact --quiet -o sweep $([ ! -e sweep/journal ] || echo --resume) >/dev/null 2>&1
diff -r whole traces
diff whole-sweep/results.csv sweep/results.csv
left=$(ls -A traces sweep | grep -e '^\.reassemble' -e '\.tmp-' || true)
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "$kills kills of each command: nothing was lost"
