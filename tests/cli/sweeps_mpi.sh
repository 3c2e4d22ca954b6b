#!/bin/bash
# A sweep on one process and on two and three (MPI) gives the same bytes, also when a process was killed at a random moment;
# a mistake is told once, by the first process.
# Usage: sweeps_mpi.sh PROGRAM FOLDER MPIEXEC
set -eu
program=$1
folder=$2
mpiexec=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# Open MPI: a test may run as root, on fewer processors than processes, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent=false
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none # Open MPI 5
"$program" trace saxpy -o traces --quiet >/dev/null
cat >small.yaml <<END
schema: reassemble.sweep/1
name: small
gpu: mali-g71-mp8
workloads: [traces/saxpy.rtrace]
axes:
  - cores: [2, 4, 8, 12]
  - l2_miss_cycles: [x0.7, x0.9, x1, x2]
END
fail() {
  echo "$*" >&2
  exit 1
}
"$program" dse small.yaml -o plain --quiet --jobs 1 >/dev/null
begin=$EPOCHREALTIME
for n in 2 3; do
  timeout 300 "$mpiexec" -n $n "$program" dse small.yaml -o ranks$n --quiet >ranks$n.txt
  cmp plain/results.csv ranks$n/results.csv
  cmp plain/results.json ranks$n/results.json
  test "$(grep -c '^Pareto front' ranks$n.txt)" -eq 1 || fail "answers are not printed once: $(cat ranks$n.txt)"
done
end=$EPOCHREALTIME
length_us=$(((${end/./} - ${begin/./}) / 2))

# kill -9 of the processes some time after they were started; mpirun then ends, but for a rare one whose processes died
# while it started them: it waits for ever, and is ended too.
ends() { # process
  for _ in $(seq 300); do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.1
  done
  pkill -9 -P "$1" || true
  kill -9 "$1" 2>/dev/null || true
  wait "$1"
}
RANDOM=1
hits=0
for attempt in $(seq 200); do
  test $hits -lt 3 || break
  "$mpiexec" -n 2 "$program" dse small.yaml -o killed --quiet --resume >/dev/null 2>&1 &
  started=$!
  until pgrep -P $started >/dev/null || ! kill -0 $started 2>/dev/null; do sleep 0.01; done
  delay_us=$((RANDOM % 1000 * length_us / 1000))
  sleep "$((delay_us / 1000000)).$(printf %06d $((delay_us % 1000000)))"
  pkill -9 -P $started || true
  if ends $started; then
    cmp plain/results.csv killed/results.csv
    rm -rf killed
    length_us=$((length_us * 4 / 5)) # too late
  else
    hits=$((hits + 1))
  fi
done
test $hits -eq 3 || fail "$hits of $attempt runs were killed, expected 3"
timeout 300 "$mpiexec" -n 2 "$program" dse small.yaml -o killed --quiet --resume >/dev/null
cmp plain/results.csv killed/results.csv
cmp plain/results.json killed/results.json

head -c 700 ranks2/journal >cut && mv cut ranks2/journal
timeout 300 "$mpiexec" -n 2 "$program" dse small.yaml -o ranks2 --quiet --resume >/dev/null
cmp plain/results.csv ranks2/results.csv

code=0
timeout 300 "$mpiexec" -n 2 "$program" dse small.yaml -o plain --quiet >/dev/null 2>error.txt || code=$?
test $code -eq 2 || fail "exit $code, expected 2: $(cat error.txt)"
test "$(grep -c 'holds results of a run already' error.txt)" -eq 1 || fail "expected one message: $(cat error.txt)"
timeout 300 "$mpiexec" -n 2 "$program" dse merge ranks3 -o merged --quiet >/dev/null
cmp plain/results.csv merged/results.csv
