#!/bin/sh
# A tuning gives the same bytes with one and two jobs; killed at random moments and begun again, those of an
# uninterrupted run; and its GPU file predicts what it says.
# Usage: tuned.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
workloads="histogram copy2d-float-128 blackscholes-64 convolution-64-mask3 copy-nocoal-128"
# shellcheck disable=SC2086 # a list of words
"$program" trace $workloads -o traces --quiet >/dev/null

# Measurements are made up: 0.8 to 1.2 of no GPU's times.
{
  printf '{"schema": "reassemble.board/1", "name": "synthetic-tuned", "board": "none", "gpu": "mali-g71-mp8",\n'
  printf '"clock_hz": 1e9, "driver": "none", "statistic": "made up", "unit": "cycles", "source": "tuned.sh",\n"measurements": ['
  comma=""
  value=9000
  for workload in $workloads; do
    printf '%s\n{"name": "%s", "workload": "traces/%s.rtrace", "launch": 0, "description": "", "value": %d, "source": "made up"}' \
      "$comma" "$workload" "$workload" "$value"
    comma=","
    value=$((value + 3500))
  done
  printf ']}\n'
} >board.json

tune() { # output, option...
  out=$1
  shift
  "$program" tune --board board.json --method coordinate --tolerance 0.05 --quiet --json "$@" >"$out"
}
set -- --penalty 0 --cv kfold=2 --params arith,l1_hit,l1_miss --bootstrap 50
tune one.json "$@" --jobs 1 -o tuned.yaml
mv tuned.yaml one.yaml
tune two.json "$@" --jobs 2 -o tuned.yaml
cmp one.json two.json
cmp one.yaml tuned.yaml
test ! -e tuned.yaml.journal || { echo "the journal was left behind"; exit 1; }

# Killed: after a tenth of a whole run, with each attempt later, until one comes through; if that was at once, because the
# machine has less to do by now, from the beginning, sooner. A run that is killed after it has written leaves the whole output.
begin=$(date +%s%N)
tune killed.json "$@" -o killed.yaml
delay_us=$((($(date +%s%N) - begin) / 10000))
mv killed.yaml whole.yaml
killed=0
for attempt in $(seq 200); do
  code=0
  timeout -s KILL "$((delay_us / 1000000)).$(printf %06d $((delay_us % 1000000)))" \
    "$program" tune --board board.json --method coordinate --tolerance 0.05 --quiet --json "$@" -o killed.yaml >killed.json || code=$?
  if test $code -ne 0; then
    killed=$((killed + 1))
    test ! -e killed.yaml || cmp whole.yaml killed.yaml
    delay_us=$((delay_us * 5 / 4))
    continue
  fi
  cmp one.json killed.json
  cmp whole.yaml killed.yaml
  test $killed -lt 3 || break
  rm killed.yaml
  killed=0
  delay_us=$((delay_us / 4))
done
test $code -eq 0 && test $killed -ge 3 || { echo "$killed of $attempt attempts were killed, the last ended with $code"; exit 1; }

# The GPU file predicts what was printed.
"$program" validate --gpu tuned.yaml --board board.json --json --quiet >validated.json
grep '"predicted"' one.json | sed 's/ //g' >said
grep '"predicted"' validated.json | sed 's/ //g' >predicted
cmp said predicted

# The keys that scripts rely on are there, and a warning says that there are more parameters than measurements.
for key in schema tool_version evaluations parameters interval held_out scores identification correlations profile; do
  grep -q "\"$key\":" one.json || { echo "no $key in the JSON"; exit 1; }
done
grep -q 'prediction_error_ratio: {value: .*holds 83% of kernels that were held out (kfold=2); held-out MAPE' tuned.yaml
grep -q 'arith_cycles: {value: .*, interval: \[[0-9.e+-]*, [0-9.e+-]*\], source: .*interval .* board synthetic-tuned, objective mape, method coordinate' tuned.yaml
"$program" tune --board board.json --method grid --evaluations 2 --force --penalty 0 --quiet \
  --params arith,store,l1_hit,l1_miss,l2_miss,barrier >forced.txt
grep -q '^5 measurements cannot determine 6 parameters: other values fit as well' forced.txt
