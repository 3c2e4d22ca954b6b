#!/bin/sh
# The same bytes from every build: traces, predictions, a sweep and a tuning, by gcc and clang, without optimisation and
# with all of it, without OpenMP, and on 1, 2 and 3 threads.
# Usage: matrix.sh SOURCE FOLDER [BUILD...]     (a name of the table below; all of them when none is given)
# Builds into FOLDER/<build>. For the nightly run: six builds of the program take about half an hour on two processors.
set -eu
source=$1
folder=$2
shift 2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# A build's name, and its options of CMake.
builds='gcc-O0 -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS_RELEASE=-O0
gcc-O3 -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS_RELEASE=-O3
gcc-without-openmp -DCMAKE_C_COMPILER=gcc -DREASSEMBLE_OPENMP=OFF
clang-O0 -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_RELEASE=-O0
clang-O3 -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_RELEASE=-O3
clang-without-openmp -DCMAKE_C_COMPILER=clang -DREASSEMBLE_OPENMP=OFF'

# Runs in the present folder; its files are what is compared.
work() { # program, threads
  export REASSEMBLE_DATA="$source" REASSEMBLE_CACHE="$folder/cache"
  "$1" trace gemm-64 reduction atax-256-kernel1 bfs-16384 blackscholes-64 --jobs "$2" --quiet -o traces >/dev/null
  for gpu in mali-g71-mp8 mali-g31-mp2 nvidia-like-32; do
    "$1" simulate --gpu $gpu --json --quiet --jobs "$2" traces/*.rtrace >"$gpu.json"
  done
  "$1" rank --gpu mali-g71-mp8 --json --quiet --jobs "$2" traces/*.rtrace >rank.json
  "$1" tune --board hikey960-gemm-variants --method coordinate --evaluations 60 --json --quiet --jobs "$2" >tune.json
  "$1" dse "$source/tests/determinism/sweep.yaml" --json --quiet --jobs "$2" -o sweep >sweep.json
  rm -f sweep/journal sweep/*.journal # in the order in which threads ended
  grep -v '"\(build_s\|run_s\|seconds\|front_end\)"' sweep.json >sweep.txt
  rm -f sweep.json sweep/results.json
}

reference=
different=0
while read -r name options; do
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  build=$folder/build-$name
  # shellcheck disable=SC2086 # several options
  cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release $options >"$folder/$name.log" 2>&1
  cmake --build "$build" --target reassemble -- --quiet >>"$folder/$name.log" 2>&1
  for threads in 1 2 3; do
    place=$folder/$name.$threads
    rm -rf "$place"
    mkdir -p "$place"
    (cd "$place" && work "$build/cli/reassemble" $threads </dev/null)
    : "${reference:=$place}"
    if diff -r "$reference" "$place"; then
      echo "$name, $threads threads: the same bytes"
    else
      echo "$name, $threads threads: differs from $reference" >&2
      different=$((different + 1))
    fi
  done
done <<END
$builds
END
[ $different = 0 ]
