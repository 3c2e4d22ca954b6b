#!/bin/sh
# Work-groups emulated beside each other give the traces, to the byte, and the message of one job. The launches take longer
# than the time after which threads are started (docs/emulator.md).
# Usage: parallel.sh PROGRAM FOLDER [commands]   (commands: simulate and rank alone)
# shellcheck disable=SC2086 # arguments are lists of words
set -eu
program=$1
folder=$2
part=${3:-all}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END'
__kernel void rows(__global const int *from, __global const float *x, __global float *y) {
  const int row = get_global_id(0);
  const unsigned random = ((unsigned)row + from[row]) * 2654435761u, begin = random % 1000000u, end = begin + (random >> 9) % 121u;
  float sum = 0;
  for (unsigned k = begin; k < end; k++)
    sum += x[((k + from[k]) * 2246822519u >> 16) % 65536u];
  y[row] = sum;
}
__kernel void turns(__global float *a, __local float *l) {
  const int id = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    l[id] = a[get_global_id(0)] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += l[(id + k) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = sum;
}
__kernel void tables(__global const int *a, __global int *sums, __global int *b) { /* addresses from static local arrays */
  __local int first[64], second[64];
  const int id = get_local_id(0), group = get_group_id(0);
  int at = a[get_global_id(0)] % 64;
  for (int k = 0; k < 64; k++) {
    first[id] = (at + group + k) % 65536;
    second[63 - id] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    at = b[first[(id + k) % 64]] + first[5] + second[7];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sums[get_global_id(0)] = at;
}
__kernel void tickets(__global int *next, __global int *mine) {
  const int id = get_global_id(0);
  for (int k = 0; k < 100; k++)
    mine[id] = atomic_add(&next[0], 1);
  if (mine[id] % 3 == 0)
    next[1 + mine[id] % 100] = id;
}
__kernel void wrong(__global float *a, int last) {
  float sum = 0;
  for (int k = 0; k < 2000; k++)
    sum += a[k];
  a[get_global_id(0) + (get_global_id(0) > last ? 1000000 : 0)] = sum;
}
END
launch() { # jobs, kernel, arguments...
  jobs=$1 kernel=$2
  shift 2
  "$program" trace k.cl --kernel $kernel "$@" --jobs $jobs -o $kernel.$jobs --quiet >/dev/null
}
shared() { # file with the phases of a run
  grep -q 'running on [23] threads' "$1"
}
same() { # kernel, arguments...
  for jobs in 1 2 3; do REASSEMBLE_PHASES=1 launch $jobs "$@" 2>phases.$1.$jobs; done
  for jobs in 2 3; do cmp $1.1/*.rtrace $1.$jobs/*.rtrace; done
}
if [ "$part" = all ]; then
same rows --global 65536 --local 64 --arg int[1048576]=uniform --arg float[65536]=uniform --arg float[65536]
same turns --global 65536 --local 64 --arg float[65536]=uniform --arg local=256
same tables --global 65536 --local 64 --arg int[65536] --arg int[65536] --arg int[65536]
same tickets --global 65536 --local 64 --arg int[128] --arg int[65536]
for jobs in 2 3; do
  if ! shared phases.rows.$jobs || ! shared phases.turns.$jobs || ! shared phases.tables.$jobs || shared phases.tickets.$jobs; then
    echo "expected $jobs threads for the kernels without atomics" >&2
    exit 1
  fi
done

# Every shipped workload; of a larger search in a graph, several launches are shared out.
suite=$(grep -L '^schema: reassemble.workload-set/' "$REASSEMBLE_DATA"/configs/workloads/*.yaml)
for jobs in 1 3; do "$program" trace $suite --jobs $jobs -o suite.$jobs --quiet >/dev/null; done
diff -r suite.1 suite.3
for jobs in 1 2 3 7; do
  REASSEMBLE_PHASES=1 "$program" trace "$REASSEMBLE_DATA/tests/bench/bfs-65536.yaml" --jobs $jobs -o bfs.$jobs --quiet 2>phases.bfs.$jobs >/dev/null
done
for jobs in 2 3 7; do
  diff -r bfs.1 bfs.$jobs
  if [ "$(grep -c "running on $jobs threads" phases.bfs.$jobs)" -lt 4 ]; then
    echo "expected $jobs threads for several launches of bfs" >&2
    exit 1
  fi
done
rm -r suite.* bfs.*
fi

# Other commands that emulate take --jobs, too.
cat >rows.yaml <<'END'
schema: reassemble.workload/1
name: rows
about: irregular rows
source: k.cl
seed: 1
buffers:
  from: {type: int, count: 1048576}
  x: {type: float, count: 65536, init: uniform}
  y: {type: float, count: 65536, init: zero}
launches:
  - {kernel: rows, global: [65536], local: [64], args: [{buffer: from}, {buffer: x}, {buffer: y}]}
END
for command in simulate rank; do
  for jobs in 1 2; do
    REASSEMBLE_PHASES=1 "$program" $command --gpu mali-g71-mp8 rows.yaml --jobs $jobs --json >$command.$jobs 2>phases.$jobs
  done
  cmp $command.1 $command.2
  if shared phases.1 || ! shared phases.2; then
    echo "$command: expected two threads with two jobs alone" >&2
    exit 1
  fi
done

arguments="--global 65536 --local 64 --arg float[65536] --arg int=50000"
for jobs in 1 3; do
  if launch $jobs wrong $arguments 2>error.$jobs; then
    echo "expected a failure with $jobs jobs" >&2
    exit 1
  fi
done
cmp error.1 error.3
grep -q 50001 error.1
