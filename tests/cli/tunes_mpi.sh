#!/bin/bash
# A tuning on one process and on several (MPI) prints the same and writes the same GPU file: also one that searches on a part of
# the measurements, and one of a table's points, whose traces the processes share out. A mistake is told once, by the first process,
# and a process that fails alone ends all.
# Usage: tunes_mpi.sh PROGRAM FOLDER MPIEXEC
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
export OMPI_MCA_plm_rsh_agent=false OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none # Open MPI 5
fail() {
  echo "$*" >&2
  exit 1
}
tune() { # name, processes, options
  local name=$1 processes=$2
  shift 2
  mkdir "$name"
  if [ "$processes" -eq 1 ]; then
    "$program" tune --quiet --jobs 1 "$@" -o "$name/tuned.yaml" >"$name.txt"
  else
    timeout 300 "$mpiexec" -n "$processes" "$program" tune --quiet "$@" -o "$name/tuned.yaml" >"$name.txt"
  fi
  sed -i "s|$name/tuned|tuned|" "$name.txt"
}
compare() { # name, numbers of processes, options
  local kind=$1 processes=$2
  shift 2
  tune "$kind-1" 1 "$@"
  for n in $processes; do
    tune "$kind-$n" "$n" "$@"
    cmp "$kind-1.txt" "$kind-$n.txt"
    cmp "$kind-1/tuned.yaml" "$kind-$n/tuned.yaml"
    test ! -e "$kind-$n/tuned.yaml.journal" || fail "a journal was left"
  done
}
compare all "2 3" --board hikey960-gemm-variants --params arith@2,l1_miss
compare part 2 --board hikey960-gemm-variants --params arith@2,l1_miss --search-on 5 --subset 4 --bootstrap 20
REASSEMBLE_CACHE=$folder/cache compare table 2 --gpu mali-t860-mp4 --board mali-t860-gemm:2 \
  --params arith,l1_miss --evaluations 4 --cv none

code=0
timeout 300 "$mpiexec" -n 2 "$program" tune --board hikey960-gemm-variants --params nothing >out.txt 2>error.txt || code=$?
test $code -eq 2 || fail "exit $code, expected 2: $(cat error.txt)"
test "$(grep -c "nothing" error.txt)" -eq 1 || fail "expected one message: $(cat error.txt)"
code=0
timeout 300 "$mpiexec" -n 2 "$program" tune --board hikey960-gemm-variants --journal kept >out.txt 2>error.txt || code=$?
test $code -eq 2 || fail "exit $code, expected 2: $(cat error.txt)"
test "$(grep -c 'keep no journal' error.txt)" -eq 1 || fail "expected one message: $(cat error.txt)"
code=0
timeout 300 "$mpiexec" -n 1 "$program" tune --quiet --board hikey960-gemm-variants --params arith : \
  -n 1 "$program" tune --quiet --board hikey960-gemm-variants --params arith --gpu missing >out.txt 2>error.txt || code=$?
test $code -ne 0 || fail "a process failed alone, and the command succeeded"
grep -q missing error.txt || fail "expected the message of the second process: $(cat error.txt)"
