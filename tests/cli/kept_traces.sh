#!/bin/sh
# Traces of a table's points are kept: made once, by several processes as by one, and again when the kernel changes. Without a
# cache the scores are the same.
# Usage: kept_traces.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END'
kernel void add(global float *x, int n) {
  for (int i = 0; i < n; i++)
    x[get_global_id(0)] += i;
}
END
cat >w.yaml <<'END'
schema: reassemble.workload/1
name: kept
source: k.cl
parameters: {N: 4}
buffers:
  X: {type: float, count: 4096, init: uniform, low: 0, high: 1}
launches:
  - {kernel: add, global: 4096, local: 64, args: [{buffer: X}, {int: "${N}"}]}
END
printf 'n,us\n1,3\n8,20\n64,170\n512,1300\n' >points.csv
cat >board.json <<'END'
{"schema": "reassemble.board/1", "name": "kept", "gpu": "mali-g71-mp8", "unit": "us", "source": "made up",
 "points": {"file": "points.csv", "value": "us", "workload": "w.yaml:N=${n}"}}
END

# validate CACHE JOBS
validate() {
  REASSEMBLE_CACHE=$1 "$program" validate --board board.json --jobs "$2" --quiet --json >"scores.$1.$2"
}
inodes() { ls -i one/traces | sort; }
validate one 1
validate three 3
validate none 2
cmp scores.one.1 scores.three.3
cmp scores.one.1 scores.none.2
[ "$(ls one/traces)" = "$(ls three/traces)" ]
[ "$(ls one/traces | wc -l)" -eq 4 ]
for trace in one/traces/*; do cmp "$trace" "three/traces/${trace##*/}"; done

inodes >first
validate one 2
inodes >again
cmp first again # found, not made again
mv "one/traces/$(ls one/traces | head -n 1)" aside
validate one 2
[ "$(ls one/traces | wc -l)" -eq 4 ] # the missing one is made again, and it alone
inodes >repaired
[ "$(sort first repaired | uniq -d | wc -l)" -eq 3 ]
cmp scores.one.1 scores.one.2

sed -i 's/+= i/+= 2 * i/' k.cl
validate one 2
[ "$(ls one/traces | wc -l)" -eq 8 ]

# A kernel that fails ends the command, which names its file.
sed -i 's/x\[get_global_id(0)\] +=/x[n > 100 ? 1 << 30 : get_global_id(0)] +=/' k.cl
if validate one 1 2>message; then exit 1; fi
grep -q '"file": "k.cl"' message
