#!/bin/bash
# Capture and execution of a frame beside the program itself on lavapipe: processor time of both in one run, and what the execution shades in a
# second of it. The program's time of a frame is that of a hundred more frames, under the layer but not captured; a capture's is that of
# ten frames less the time of ten that are not captured. Rows for results.csv on standard output. A nightly measurement.
# Usage: bench_frames.sh REASSEMBLE SCRATCH [NAME...] (needs Mesa, Xvfb and the programs: mesa-utils vulkan-tools glmark2-es2-x11)
set -eu
program=$1 scratch=$2
shift 2
names=$*
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
machine="$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
mkdir -p "$scratch"
TIMEFORMAT='%U %S'

seconds() { # COMMAND...: prints the processor time of a command and its children
  { time "$@" >"$scratch/out" 2>"$scratch/err"; } 2>&1 | awk '{ print $1 + $2 }'
}

capture() { # FRAMES COMMAND...
  local frames=$1
  shift
  seconds "$program" trace -q --graphics --frames "$frames" --timeout 500 -o "$scratch/frames" -- "$@"
}

measure() { # NAME COMMAND...
  local name=$1 short long ten one executed
  shift
  case " $names " in *" $name "* | "  ") ;; *) return 0 ;; esac
  command -v "$1" >/dev/null || { echo "$name: $1 is not installed" >&2; return 0; }
  short=$(capture 20 "$@") long=$(capture 120 "$@") ten=$(capture 11..20 "$@")
  one=$(seconds "$program" draw --no-trace "$scratch/frames/frame-20.rframe" -o "$scratch/drawn" --json)
  executed=$(python3 - "$scratch/out" <<'END'
import json, sys
draws = [d for f in json.load(open(sys.argv[1]))["frames"] for d in f["draws"]]
print(sum(d["quads"] for d in draws) * 4, sum(d["distinct_vertices"] for d in draws))
END
)
  awk -v name="$name" -v short="$short" -v long="$long" -v ten="$ten" -v one="$one" -v executed="$executed" -v day="$(date +%F)" -v commit="$commit" -v machine="$machine" 'BEGIN {
    split(executed, n, " ")
    frame = (long - short) / 100; captured = (ten - short) / 9
    row = "," day "," commit ",\"" machine "\",bench_frames.sh\n"
    printf "frame-%s-lavapipe,%.4f,s of processor time%s", name, frame, row
    printf "frame-%s-captured,%.3f,s of processor time%s", name, captured, row
    printf "frame-%s-executed,%.3f,s of processor time%s", name, one, row
    printf "frame-%s-over-lavapipe,%.0f,ratio%s", name, (captured + one) / frame, row
    printf "frame-%s-lanes,%.3f,M lanes/s%s", name, n[1] / one / 1e6, row }'
}

measure glxgears glxgears
measure vkcube vkcube
for scene in build texture ideas; do
  measure "glmark2-$scene" glmark2-es2 -s 400x300 -b "$scene"
done
