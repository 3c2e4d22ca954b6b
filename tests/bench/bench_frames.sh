#!/bin/bash
# Capture and execution of a frame beside the program itself on lavapipe: processor time of both in one run. Rows for results.csv on
# standard output. A nightly measurement. Time is that of perf's task clock, children included: what getrusage says of processes that often
# sleep differs by a factor of two from run to run where the kernel counts ticks.
#
#   lavapipe   the program under the layer, not captured: what one of 200 frames more costs, of the least of three runs each
#   captured   what the capture of one of forty frames costs, of the least of three runs each
#   executed   what one of forty frames more (ten, each four times) costs in one `reassemble draw --no-trace --no-picture`, whose workers
#              have the compiled shaders
#   first      the same of one frame alone, where no compiled shader is kept
#   kept       the same where an earlier command has kept them
#   three      one of three frames of one command, where an earlier command has kept them
#   over       (captured + executed) / lavapipe; first-over: (captured + first) / lavapipe; kept-over: (captured + kept) / lavapipe;
#              three-over: (captured + three) / lavapipe
#   lavapipe-first  the program from its start until its tenth frame, less nine frames, where Mesa keeps no compiled shader: its first
#              frame costs what it takes to start, to load and to compile. first-over-first: first / lavapipe-first
# RUNS=1 measures each once, where a program takes long to start.
#
# Then bench_shading (in BUILD/tests/bench) says what the frame's execution does in a second.
# Usage: bench_frames.sh BUILD SCRATCH [NAME...] (needs perf, Mesa, Xvfb and the programs: mesa-utils vulkan-tools
# glmark2-es2-x11 extremetuxracer neverball armagetronad openarena)
set -eu
program=$1/cli/reassemble shading=$1/tests/bench/bench_shading scratch=$2
shift 2
names=$*
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
mkdir -p "$scratch"

seconds() { # COMMAND...: prints the processor time of a command and its children
  perf stat -x, -e task-clock -o "$scratch/clock" "$@" >"$scratch/out" 2>"$scratch/err" || :
  awk -F, '/task-clock/ { print $1 / 1e3 }' "$scratch/clock"
}

capture() { # FRAMES COMMAND...
  local frames=$1
  shift
  seconds "$program" trace -q --graphics --frames "$frames" --timeout 500 -o "$scratch/frames" -- "$@"
}

least() { # COMMAND...: the least of RUNS runs, three without a number
  for _ in $(seq "${RUNS:-3}"); do "$@"; done | sort -n | head -1
}

execute() { # FRAME...
  REASSEMBLE_CACHE="$scratch/cache" seconds "$program" draw --no-trace --no-picture "$@" -o "$scratch/drawn"
}

measure() { # NAME COMMAND...
  local name=$1 short long forty first one three many start files frame machine
  shift
  case " $names " in *" $name "* | "  ") ;; *) return 0 ;; esac
  command -v "$1" >/dev/null || { echo "$name: $1 is not installed" >&2; return 0; }
  rm -rf "$scratch/frames"
  capture 60 "$@" >/dev/null # Mesa keeps its compiled shaders from here on
  short=$(least capture 60 "$@") long=$(least capture 260 "$@") forty=$(least capture 21..60 "$@")
  files=("$scratch"/frames/frame-5?.rframe "$scratch/frames/frame-60.rframe")
  [ -f "${files[0]}" ] || { echo "$name: no frame was captured" >&2; return 0; }
  start=$(MESA_SHADER_CACHE_DISABLE=true least capture 10 "$@")
  rm -rf "$scratch/cache"
  first=$(execute "${files[0]}") one=$(least execute "${files[0]}")
  three=$(least execute "${files[@]:0:3}")
  many=$(least execute "${files[0]}" "${files[@]}" "${files[@]}" "${files[@]}" "${files[@]}")
  machine="${MACHINE:-$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)}"
  row=",$(date +%F),$commit,\"$machine\",bench_frames.sh"
  awk -v name="$name" -v short="$short" -v long="$long" -v forty="$forty" -v first="$first" -v one="$one" -v three="$three" -v many="$many" -v start="$start" \
    -v row="$row" 'BEGIN {
    frame = (long - short) / 200; captured = (forty - short) / 39; executed = (many - one) / 40
    row = row "\n"
    printf "frame-%s-lavapipe,%.2f,ms of processor time%s", name, 1e3 * frame, row
    printf "frame-%s-captured,%.1f,ms of processor time%s", name, 1e3 * captured, row
    printf "frame-%s-executed,%.1f,ms of processor time%s", name, 1e3 * executed, row
    printf "frame-%s-first,%.0f,ms of processor time%s", name, 1e3 * first, row
    printf "frame-%s-kept,%.0f,ms of processor time%s", name, 1e3 * one, row
    printf "frame-%s-kept-over,%.0f,times lavapipe%s", name, (captured + one) / frame, row
    printf "frame-%s-three,%.1f,ms of processor time%s", name, 1e3 * three / 3, row
    printf "frame-%s-three-over,%.0f,times lavapipe%s", name, (captured + three / 3) / frame, row
    printf "frame-%s-lavapipe-first,%.0f,ms of processor time%s", name, 1e3 * (start - 9 * frame), row
    printf "frame-%s-first-over-first,%.1f,times the first frame of lavapipe%s", name, first / (start - 9 * frame), row
    printf "frame-%s-over,%.0f,times lavapipe%s", name, (captured + executed) / frame, row
    printf "frame-%s-first-over,%.0f,times lavapipe%s", name, (captured + first) / frame, row }'
  frame=$scratch/frames/frame-60.rframe
  "$shading" "frame-$name" "$frame" "$scratch/shaded" | sed "s/\$/${row//\"/\\\"}/"
}

measure glxgears glxgears
measure es2gears es2gears_x11
measure vkcube vkcube
for scene in build texture shadow jellyfish; do
  measure "glmark2-$scene" glmark2-es2 -s 800x600 -b "$scene:duration=100"
done
measure extremetuxracer /usr/games/etr
measure neverball /usr/games/neverball
measure armagetronad /usr/games/armagetronad
measure openarena /usr/games/openarena +set r_mode 3 +set r_fullscreen 0 +map oa_dm1
