#!/bin/sh
# Compares the speed of two release builds, such as those of a commit and of an earlier one, on one machine: runs the benchmarks
# of both alternately, keeps the best of each number, and prints the ratios NEW / OLD with their geometric mean for each benchmark.
# Both builds read the data of DATA, so that GPUs and workloads are the same. DATA is the root of the older tree, because a program
# reads older files. Neither keeps compiled kernels (REASSEMBLE_CACHE=none): the first run of kept code has the page faults that
# a compilation has otherwise. Other work on the machine disturbs single numbers; more rounds and an idle machine help.
# To prepare a build: cmake --preset release && cmake --build --preset release --target \
#   bench_replay_workloads bench_emulate bench_sweep bench_timing_only
# Usage: beside.sh OLD_BUILD NEW_BUILD DATA [ROUNDS [BENCHMARK...]]
set -eu
old=$1 new=$2 rounds=${4:-5}
export REASSEMBLE_DATA=$3 REASSEMBLE_CACHE=none
[ $# -gt 4 ] && shift 4 || set -- replay_workloads emulate timing_only sweep
small="saxpy reduction spmv-ell gemm-tiled-64 gemm-256 atax-256-kernel1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

run() { # build, benchmark: lines "name|number", larger is better
  # shellcheck disable=SC2086 # the workloads are several words
  case $2 in
  replay_workloads)
    "$1/tests/bench/bench_$2" 1 $small | awk 'NR > 1 && NF > 5 {
      name = $1
      for (i = 2; i <= NF - 4; i++) name = name " " $i
      print name "|" $(NF - 1) }' ;;
  emulate)
    # Launches of less than 10^7 instructions take microseconds, in which the start of a thread counts more than emulation.
    "$1/tests/bench/bench_$2" | awk '$2 !~ /^\(all/ && $3 > 1e7 {
      for (i = 1; i < NF; i++) if ($i == "emulated" || $i == "traced") print $1 " " $2 " " $i "|" $(i + 1) }' ;;
  timing_only)
    "$1/tests/bench/bench_$2" $small | awk 'NR > 2 { print $1 " exact|" $4; print $1 " recorded|" $5 }' ;;
  sweep)
    "$1/tests/bench/bench_$2" caches points | awk '
      $1 == "all" { print "a point|" 1 / $2; print "100 caches|" 1 / $3 }
      match($0, /alone [0-9.]+/) { print "a point of the sweep|" 1 / substr($0, RSTART + 6, RLENGTH - 6) }
      match($0, /all [0-9.]+,/) { print "1,000 points|" 1 / substr($0, RSTART + 4, RLENGTH - 5) }' ;;
  esac
}

for benchmark; do
  : >"$scratch/old"
  : >"$scratch/new"
  for _ in $(seq "$rounds"); do
    run "$old" "$benchmark" >>"$scratch/old"
    run "$new" "$benchmark" >>"$scratch/new"
  done
  awk -F '|' -v benchmark="bench_$benchmark" '
    FILENAME ~ /old$/ { if (!($1 in old)) name[++count] = $1; if ($2 > old[$1]) old[$1] = $2; next }
    $2 > new[$1] { new[$1] = $2 }
    END {
      for (i = 1; i <= count; i++) {
        if (!new[name[i]] || !old[name[i]]) { print benchmark ": only one build prints " name[i]; failed = 1; continue }
        ratio = new[name[i]] / old[name[i]]
        printf "%-24s %-44s %6.3f\n", benchmark, name[i], ratio
        sum += log(ratio); compared++
      }
      if (!compared) { print benchmark ": nothing to compare"; exit 1 }
      printf "%-24s %-44s %6.3f\n\n", benchmark, "geometric mean", exp(sum / compared)
      exit failed
    }' "$scratch/old" "$scratch/new"
done
