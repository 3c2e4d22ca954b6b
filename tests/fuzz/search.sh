#!/bin/sh
# Lets libFuzzer search each target for a while: search.sh [-j N] PROGRAM SOURCE FOLDER SECONDS [TARGET...]
# FOLDER keeps the inputs that reached new code, from run to run, and those that crashed. Prints executions and coverage.
# -j: N targets at a time (1). $REASSEMBLE_FUZZ_SEED: the same inputs in the same order in each run, for a check that must not fail by chance.
set -eu
jobs=1
[ "$1" != -j ] || { jobs=$2; shift 2; }
program=$1
source=$2
folder=$3
seconds=$4
shift 4
export REASSEMBLE_DATA="$source"
cd "$source"
# A target, its dictionary, and the shipped files that it starts from beside its corpus: as in CMakeLists.txt.
rows=$(sed -n 's/^ *fuzz_test(\([a-z_]*\) [0-9]* \([a-z]*\) *\(.*\))$/\1 \2 \3/p' tests/fuzz/CMakeLists.txt)
if [ "$jobs" -gt 1 ]; then
  # shellcheck disable=SC2046 # a word a target
  [ $# -gt 0 ] || set -- $(echo "$rows" | cut -d ' ' -f 1)
  printf '%s\n' "$@" | xargs -P "$jobs" -I TARGET sh "$source/tests/fuzz/search.sh" "$program" "$source" "$folder" "$seconds" TARGET
  exit
fi
failed=0
while read -r target dictionary patterns; do
  [ $# = 0 ] || case " $* " in *" $target "*) ;; *) continue ;; esac
  work=$folder/$target
  mkdir -p "$work/found" "$work/seeds"
  # shellcheck disable=SC2086 # patterns
  for file in tests/fuzz/corpus/"$target"/* $patterns; do
    [ ! -e "$file" ] || cp "$file" "$work/seeds/"
  done
  status=0
  (cd "$work" && FUZZ_TARGET=$target "$program" found seeds -dict="$source/tests/fuzz/dictionaries/$dictionary.dict" \
    ${REASSEMBLE_FUZZ_SEED:+-seed="$REASSEMBLE_FUZZ_SEED"} -max_total_time="$seconds" -timeout=300 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=1 >log 2>&1) || status=$?
  if grep -q "names no target" "$work/log"; then
    echo "$target: not built"
    continue
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/log" | tail -1)
  echo "$target: ${executions:-0} executions, ${coverage:-0} places reached, exit code $status"
  [ $status = 0 ] || { failed=1; tail -40 "$work/log"; }
done <<END
$rows
END
exit $failed
