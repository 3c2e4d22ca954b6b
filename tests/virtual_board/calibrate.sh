#!/bin/sh
# Factors of `reassemble calibrate`: those by which made-up times were made are found again, with clocks and without, programs that
# are held out are predicted exactly, and what is recorded on this machine can be fitted and used.
# calibrate.sh REASSEMBLE PROGRAM SCRATCH
set -eu
reassemble=$1 program=$2
rm -rf "$3"
mkdir -p "$3"
cd "$3"

fail() {
  echo "$1"
  exit 1
}

# board NAME KERNEL WRITE HOST CLOCKED: a file of five programs whose times are those of the device, times these numbers. CLOCKED: their
# clocks differ, and a quarter of a kernel's time is bound by the memory.
board() {
  awk -v name="$1" -v kernel="$2" -v write="$3" -v host="$4" -v clocked="$5" '
    function part(key, ns, last) { printf "\"%s\": {\"ns\": %.6f, \"awaited_ns\": %.6f}%s", key, ns, ns, last ? "" : ", " }
    BEGIN {
      printf "{\"schema\": \"reassemble.programs/1\", \"name\": \"%s\", \"programs\": [", name
      for (i = 1; i <= 5; i++) {
        core = clocked ? 1 + i % 3 : 1; memory = clocked ? 1 + i % 2 : 1
        k = kernel * 1e6 * i * i * (0.75 / core + 0.25 / memory); w = write * 3e5 * (7 - i) / memory; h = host * 1e6
        printf "%s{\"name\": \"p%d\", \"command\": [\"true\"], \"core_clock\": %d, \"memory_clock\": %d, ", (i > 1 ? ", " : ""), i, core, memory
        printf "\"total_ns\": %.6f, \"simulated_ns\": %.6f, \"parts\": {", k + w + h, k + w + h
        part("kernel", k); part("read", 0); part("write", w); part("map", 0); part("unmap", 0); part("copy", 0); part("fill", 0)
        part("calls", 0); part("latency", 0); part("host", h, 1)
        printf "}}"
      }
      print "]}"
    }' > "$1.json"
}

# factor FILE KIND MEMBER LOW HIGH
factor() {
  found=$(awk -v kind="\"$2\"" -v member="\"$3\":" 'index($1, kind) { in_kind = 1 } in_kind && $1 == member { print $2 + 0; exit }' "$1")
  awk -v f="${found:-x}" -v low="$4" -v high="$5" 'BEGIN { exit !(f >= low && f <= high) }' || fail "$1: $2 $3 is '$found', expected $4 to $5"
}

board device 1 1 1 ""
board slow 2.5 0.5 1.25 ""
board clocked 2.5 0.5 1.25 yes
"$reassemble" calibrate device.json slow.json --train p1,p3,p4 -o slow-factors.json > slow.txt
factor slow-factors.json kernel factor 2.49999 2.50001
factor slow-factors.json write factor 0.49999 0.50001
factor slow-factors.json host factor 1.24999 1.25001
grep -q "2 programs held out .* 0.0 %" slow.txt || fail "programs held out are not predicted: $(cat slow.txt)"
"$reassemble" calibrate device.json clocked.json -o clocked-factors.json > clocked.txt
factor clocked-factors.json kernel factor 2.49999 2.50001
factor clocked-factors.json kernel memory_share 0.24999 0.25001
factor clocked-factors.json write factor 0.49999 0.50001

# Programs of this machine.
printf '{"schema": "reassemble.programs/1", "name": "here", "programs": [{"name": "a", "command": ["%s"]}, {"name": "b", "command": ["%s"]}]}\n' \
  "$program" "$program" > programs.json
"$reassemble" calibrate --quiet --record here.json -n 1 programs.json
"$reassemble" calibrate here.json here.json -o here-factors.json > here.txt
factor here-factors.json kernel factor 0.01 100
"$reassemble" run --time device --factors here-factors.json --core-clock 2 --json -- "$program" > run.json
grep -q '"the device of this machine"' run.json || fail "the device of this machine was not used"

# Mistakes.
! "$reassemble" run --gpu mali-g71-mp8 --factors here-factors.json -- "$program" 2> errors || fail "--factors without --time device"
grep -q "they need --time device" errors || fail "$(cat errors)"
! "$reassemble" calibrate programs.json here.json 2> errors || fail "a file without times was fitted"
grep -q "total_ns" errors || fail "$(cat errors)"
