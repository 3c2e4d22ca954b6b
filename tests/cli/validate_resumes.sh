#!/bin/sh
# A validation of many points whose journal was left by SIGINT or SIGKILL goes on and prints what a run without
# interruption prints; it replays what is missing alone. A journal of another GPU or of another program is refused, and
# results of traces that have changed are not used. A launch that could not be emulated changes nothing about the results
# of the others. The traces of many points do not lie in memory together.
# Usage: validate_resumes.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
points=80
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export REASSEMBLE_CACHE="$folder/cache"
# Every work-item reads 16 places that its random numbers name: 1 MiB of addresses in each trace.
cat >k.cl <<'END'
kernel void gather(global uint *out, global const uint *index, global const uint *x, uint n) {
  const uint id = get_global_id(0);
  uint at = index[id], sum = 0;
  for (uint i = 0; i < 16; i++) {
    at = at * 1664525u + 1013904223u + n;
    sum += x[at & 16383u];
  }
  out[id] = sum;
}
END
cat >w.yaml <<'END'
schema: reassemble.workload/1
name: gather
source: k.cl
parameters: {N: 4}
buffers:
  OUT: {type: uint, count: 16384}
  INDEX: {type: uint, count: 16384, init: uniform, low: 0, high: 4000000000}
  X: {type: uint, count: 16384, init: uniform, low: 0, high: 1000}
launches:
  - {kernel: gather, global: 16384, local: 64, args: [{buffer: OUT}, {buffer: INDEX}, {buffer: X}, {uint: "${N}"}]}
END
{
  echo n,us
  number=0
  while [ $number -lt $points ]; do
    number=$((number + 1))
    echo "$number,$((100 + number))"
  done
} >points.csv
cat >board.json <<'END'
{"schema": "reassemble.board/1", "name": "many", "gpu": "mali-g71-mp8", "unit": "us", "source": "made up",
 "points": {"file": "points.csv", "value": "us", "workload": "w.yaml:N=${n}"}}
END

validate() {
  "$program" validate --board board.json --quiet --jobs 2 "$@"
}
fail() {
  echo "$1"
  exit 1
}

validate --points 1 >out # the first compilation takes more memory
# Less than what the traces take together suffices for all of them.
validate --memory 67108864 --json >whole.json
[ "$(ls cache/traces | wc -l)" -eq $points ]

# interrupt SIGNAL: ends a run when some results are known.
interrupt() {
  before=$([ ! -e journal ] || wc -l <journal)
  env --default-signal=INT "$program" validate --board board.json --quiet --jobs 2 --journal journal --json >out 2>errors &
  process=$!
  until [ -s journal ] && [ "$(wc -l <journal)" -gt $((${before:-0} + 8)) ]; do
    kill -0 $process || fail "ended before it was interrupted: $(cat errors)"
    sleep 0.01
  done
  kill -$1 $process
  code=0
  wait $process || code=$?
  [ $code -gt 128 ] || fail "$1: exit code $code"
  [ ! -s out ] || fail "$1: prints a part of its results"
}
interrupt INT
echo "reassemble: interrupted. journal keeps the results so far: the same command goes on" | diff - errors
interrupt KILL
[ "$(wc -l <journal)" -le $points ] || fail "nothing was left to do"
printf '0123456789abcdef r 7 0 cut' >>journal # a line that a crash cut off
cp journal part

validate --journal journal --json >resumed.json
without_command() { sed 's/"command": "[^"]*"/"command"/' "$1"; }
without_command whole.json >a
without_command resumed.json >b
cmp a b
[ "$(wc -l <journal)" -eq $((points + 1)) ] || fail "$(wc -l <journal) lines in the journal"
[ "$(cut -d ' ' -f 3 journal | sort | uniq -d | wc -l)" -eq 0 ] || fail "a launch was replayed twice"
head -n 1 journal | cmp - "$(head -n 1 part >head && echo head)"

# Mechanisms turned off are results as well.
validate --points 2 --ablate --journal ablated --json >first.json
lines=$(wc -l <ablated)
validate --points 2 --ablate --journal ablated --json >second.json
cmp first.json second.json
[ "$(wc -l <ablated)" -eq "$lines" ]

# refused TEXT ARGUMENTS...
refused() {
  text=$1
  shift
  code=0
  validate "$@" >out 2>errors || code=$?
  [ $code -eq 2 ] && [ ! -s out ] && grep -q "$text" errors || fail "exit code $code: $(cat errors)"
}
refused "of another run: the GPU differs" --journal journal --gpu mali-g72-mp12
refused "of another run: the choice of points differs" --journal journal --points 20
refused "goes with one board" --journal journal board.json
cp points.csv kept.csv
sed -i 's/^7,107$/7,108/' points.csv
refused "of another run: what was measured differs" --journal journal
cp kept.csv points.csv
cp journal changed
sed -i 's/sum += /sum += 3 * /' k.cl
validate --journal changed --json >changed.json
[ "$(wc -l <changed)" -eq $((2 * points + 1)) ] || fail "$(wc -l <changed) lines in a journal of two kernels"
validate --json >again.json
without_command changed.json >a
without_command again.json >b
cmp a b
cmp a whole.json >"$folder/out" && fail "another kernel has the same times"
sed -i 's/sum += 3 \* /sum += /' k.cl

# A program that predicts another time for the first launch of the journal.
checksum() { # FNV-1a of a text
  python3 -c 'import sys
h = 0xcbf29ce484222325
for b in sys.argv[1].encode():
    h = (h ^ b) * 0x100000001b3 % (1 << 64)
print("%016x" % h)' "$1"
}
rest=$(sed -n 2p journal | cut -d ' ' -f 2- | sed 's/0x1\.[0-9a-f]*p/0x1.8p/')
{
  sed -n 1p journal
  echo "$(checksum "$rest") $rest"
} >other
refused "is not what this program predicts" --journal other

# The first workload of a board is not emulated at first, so that the others have other numbers among the launches.
cat >few.json <<'END'
{"schema": "reassemble.board/1", "name": "few", "gpu": "mali-g71-mp8", "unit": "cycles", "source": "made up", "measurements": [
  {"name": "two", "workload": "two.yaml", "launch": 1, "value": 100},
  {"name": "one", "workload": "one.yaml", "value": 100}]}
END
launch='{kernel: gather, global: 64, local: 64, args: [{buffer: OUT}, {buffer: INDEX}, {buffer: X}, {uint: 7}]}'
sed -e "s/^  - {kernel.*/  - $launch\n  - $launch/" -e 's/name: gather/name: two/' w.yaml >two.yaml
sed -e "s/^  - {kernel.*/  - $launch/" -e 's/name: gather/name: one/' w.yaml >one.yaml
cp k.cl few.cl
sed -i 's/source: k.cl/source: few.cl/' two.yaml
echo nonsense >>few.cl
few() {
  "$program" validate --board few.json --quiet --jobs 1 "$@"
}
few --journal few >out 2>errors
grep -q nonsense out errors || fail "a workload that does not compile is not reported: $(cat out errors)"
[ "$(wc -l <few)" -eq 2 ] || fail "found $(wc -l <few) lines, expected the head and the launch that was emulated: $(cat errors)"
cp k.cl few.cl
few --journal few --json >resumed.json
few --json >whole.json
without_command whole.json >a
without_command resumed.json >b
cmp a b
[ "$(wc -l <few)" -eq 4 ] || fail "found $(wc -l <few) lines, expected three launches behind the head"
