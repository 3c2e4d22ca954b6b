#!/bin/sh
# A trace ends, and is the same, whichever of stdin, stdout and stderr the caller has closed. Without stdout the command fails,
# because its result cannot be written, and the trace is there all the same.
# Usage: closed_files.sh PROGRAM FOLDER SOURCE OPENCL_PROGRAM
set -eu
program=$1
folder=$2
source=$3
opencl_program=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
. "$source/tests/support/small_inputs.sh"

run() { timeout 300 "$program" trace saxpy --quiet -o "$1"; }
check() { # NAME CODE EXPECTED
  [ "$2" = "$3" ] || { echo "$1 closed: exit code $2, expected $3"; exit 1; }
  cmp "$1/saxpy.rtrace" none/saxpy.rtrace
}
run none >/dev/null
code=0; run in_out 0<&- 1>&- || code=$?; check in_out $code 1
code=0; run in_err 0<&- 2>&- >/dev/null || code=$?; check in_err $code 0
code=0; run out_err 1>&- 2>&- || code=$?; check out_err $code 1
code=0; run all 0<&- 1>&- 2>&- || code=$?; check all $code 1

# Every other command ends too, in all seven ways: well, or with exit code 1 where its results have no place to go.
cp "$source/tests/golden/gemm-4.rtrace" t.rtrace
printf '__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n' >k.cl
printf 'schema: reassemble.sweep/1\nname: s\nabout: small\ngpu: mali-g71-mp8\nworkloads: [t.rtrace]\naxes:\n  - cores: [1, 2]\n' >s.yaml
"$program" simulate --gpu mali-g71-mp8 --json --quiet t.rtrace >simulated.json
every_way() { # words of a command
  for closed in "0<&-" "1>&-" "2>&-" "0<&- 1>&-" "0<&- 2>&-" "1>&- 2>&-" "0<&- 1>&- 2>&-"; do
    wanted=0 others="2>errors"
    case $closed in *1*) wanted=1 ;; *) others="$others >results" ;; esac
    rm -rf out
    code=0
    timeout 300 sh -c "exec '$program' $* $others $closed" </dev/null || code=$?
    [ $code = $wanted ] || { echo "$* $closed: exit code $code, expected $wanted"; exit 1; }
  done
}
every_way info t.rtrace
every_way info k.cl
every_way simulate --gpu mali-g71-mp8 --quiet t.rtrace
every_way rank --gpu mali-g71-mp8 --quiet t.rtrace t.rtrace
every_way dse s.yaml --quiet -o out
every_way params --gpu mali-g71-mp8
every_way list gpus
every_way report simulated.json -o page.html --quiet
cat >three.yaml <<'END'
schema: reassemble.workload/1
name: three
about: small
source: k.cl
buffers:
  A: {type: int, count: 64}
launches:
  - {kernel: k, global: 64, local: 8, args: [{buffer: A}]}
  - {kernel: k, global: 32, local: 8, args: [{buffer: A}]}
  - {kernel: k, global: 16, local: 8, args: [{buffer: A}]}
END
write_board
write_program_times here 1
write_program_times there 2
every_way validate --gpu mali-g71-mp8 --board board.json --quiet
every_way baseline --board board.json --quiet
every_way tune --board board.json --params arith --method coordinate --evaluations 2 --quiet -o tuned.yaml
every_way calibrate here.json there.json -o factors.json
if "$program" draw "$source/datasets/graphics/flat.rframe" -o drawn --quiet >drawn.txt 2>&1; then
  every_way draw "$source/datasets/graphics/flat.rframe" -o out --quiet
  every_way frame drawn/flat --gpu mali-g71-mp8 --quiet
fi
every_way completion bash
every_way help info
every_way --version
if [ -x "$opencl_program" ]; then
  every_way measure three.yaml --runs 1 --warm-up 0 --quiet
  every_way trace -o out --quiet -- "'$opencl_program'"
  every_way run --gpu mali-g71-mp8 --quiet --report -- "'$opencl_program'"
fi
