#!/bin/sh
# board_file.sh REASSEMBLE SCRATCH: what `measure` writes is a board file that `validate` takes; wrong results and what a device cannot
# do are skipped with a reason; without a device there is a message and no file.
set -eu
reassemble=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
fail() { echo "$1"; exit 1; }

"$reassemble" measure --devices --json >devices.json
grep -q '"type": "' devices.json || fail "no device was listed"

# Three workloads, one of them with several launches, and one whose check cannot hold: its expected buffer is never written.
cat >wrong.cl <<'CL'
kernel void one(global int *out) { out[get_global_id(0)] = 1; }
kernel void expect_two(global int *expected) { for (int i = 0; i < 64; i++) expected[i] = 2; }
CL
cat >wrong.yaml <<'YAML'
schema: reassemble.workload/1
name: wrong
source: wrong.cl
buffers:
  out: {type: int, count: 64}
  expected: {type: int, count: 64}
launches:
  - {kernel: one, global: 64, local: 64, args: [{buffer: out}]}
checks:
  - {kernel: expect_two, args: [{buffer: expected}], compare: [{buffer: out, expected: expected}]}
YAML
"$reassemble" measure --runs 3 --warm-up 1 --gpu mali-g71-mp8 --board "test board" -o board.json \
  gemm-64 bfs-16384 wrong.yaml gemm-variants/b micro/empty:GROUPS=3 >table 2>messages
grep -q '^skipped .*wrong.yaml: its check failed: buffer out differs at element 0' messages || fail "wrong results were measured"
grep -q wrong board.json && fail "wrong results are in the board file"
grep -q '"workload": "gemm-variants/b"' board.json || fail "the name of a member of a set is not its shipped one"
grep -q '"workload": "micro/empty:GROUPS=3"' board.json || fail "a workload with a bound parameter has no short name"
grep -q '"name": "bfs-16384.18"' board.json || fail "launches of one workload have no names of their own"
[ "$(grep -c '"group": "bfs"' board.json)" = 19 ] || fail "launches of one program are no group"
grep -q '"checked": true' board.json || fail "checks are not mentioned"

# Every launch is predicted, whichever it is.
"$reassemble" validate --quiet --board board.json >scores
grep -q '^mali-g71-mp8 on board (minimum of 3 runs, ns)' scores || fail "validate does not take the board"
[ "$(grep -c '^bfs-16384\.' scores)" = 19 ] || fail "nineteen launches of bfs were expected in validate's table"

# As many repetitions as asked for, none of them without time.
awk -F: '/"(value|median|maximum)"/ { if ($2 + 0 <= 0) exit 1 } /"runs"/ { if ($2 + 0 != 3) exit 1 }' board.json ||
  fail "a time of zero, or another number of runs"

# Images of every kind go to the device and come back: the check compares what the kernel wrote.
cat >volumes.cl <<'CL'
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void volumes(read_only image3d_t in, read_only image1d_buffer_t row, read_only image2d_array_t layers,
                    read_only image1d_array_t rows, write_only image3d_t out) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  const float sum = read_imagef(in, at).x + read_imagef(row, at.x).x + read_imagef(layers, at).x;
  write_imagef(out, at, (float4)(sum + read_imagef(rows, at.xy).x));
}
kernel void expect(global float *expected) {
  for (int i = 0; i < 64; i++)
    expected[i] = i + i % 4 + i + i % 16;
}
CL
cat >volumes.yaml <<'YAML'
schema: reassemble.workload/1
name: volumes
source: volumes.cl
buffers:
  in: {image: [4, 4, 4], order: R, type: float, init: index}
  row: {image: [4], kind: 1d_buffer, order: R, type: float, init: index}
  layers: {image: [4, 4, 4], kind: 2d_array, order: R, type: float, init: index}
  rows: {image: [4, 4], kind: 1d_array, order: R, type: float, init: index}
  out: {image: [4, 4, 4], order: R, type: float}
  expected: {type: float, count: 64}
launches:
  - {kernel: volumes, global: [4, 4, 4], local: [4, 4, 4], args: [{image: in}, {image: row}, {image: layers},
     {image: rows}, {image: out}]}
checks:
  - {kernel: expect, args: [{buffer: expected}], compare: [{buffer: out, expected: expected}]}
YAML
"$reassemble" measure --runs 2 --warm-up 0 --gpu mali-g71-mp8 -o volumes.json volumes.yaml >table 2>messages ||
  fail "a launch with images of all kinds was not measured: $(cat messages)"
grep -q '"checked": true' volumes.json || fail "the results of the launch with images were not checked"

# Whatever the caches hold, the launches and the results are the same; the file says which.
for caches in filled cold warm; do
  "$reassemble" measure --runs 2 --warm-up 0 --caches $caches --gpu mali-g71-mp8 -o $caches.json saxpy bfs-16384 >table
  grep -q "\"caches\": \"$caches\"" $caches.json || fail "the board file does not say that caches are $caches"
  [ "$(grep -c '"group": "bfs"' $caches.json)" = 19 ] || fail "with $caches caches a launch is missing"
done
"$reassemble" measure --caches hot saxpy 2>messages && fail "there is no such state of caches"
grep -q 'hot' messages || fail "the message does not name the state of caches"

# A run that was interrupted goes on: what the journal has is not measured again, unless it has changed.
cat >adds.cl <<'CL'
kernel void adds(global int *a) { a[get_global_id(0)] += 1; }
CL
cat >adds.yaml <<'YAML'
schema: reassemble.workload/1
name: adds
source: adds.cl
buffers:
  a: {type: int, count: 64}
launches:
  - {kernel: adds, global: 64, local: 64, args: [{buffer: a}]}
YAML
kept() { "$reassemble" measure --runs 2 --warm-up 0 --journal times.journal --gpu mali-g71-mp8 -o "$@" >table; }
values() { sed -n '/"workload": "saxpy"/,/"source"/s/.*"\(value\|median\|maximum\|spread\)"/\1/p' "$1"; }
kept first.json saxpy adds.yaml
[ "$(wc -l <times.journal)" = 3 ] || fail "a head and two results were expected in the journal"
head -c "$(($(head -n 2 times.journal | wc -c) + 20))" times.journal >begun # the second result is cut off
mv begun times.journal
kept second.json saxpy adds.yaml bfs-16384
[ "$(values first.json)" = "$(values second.json)" ] || fail "what the journal had was measured again"
grep -q 'adds.yaml' second.json || fail "what was cut off was not measured again"
[ "$(grep -c '"group": "bfs"' second.json)" = 19 ] || fail "the journal lacks launches of a workload"
[ "$(wc -l <times.journal)" = 4 ] || fail "a head and three results were expected in the journal"
sed -i 's/+= 1/+= 2/' adds.cl
kept third.json saxpy adds.yaml bfs-16384
[ "$(wc -l <times.journal)" = 5 ] || fail "a kernel that was changed was not measured again"
"$reassemble" measure --runs 3 --warm-up 0 --journal times.journal saxpy >table 2>messages && fail "the journal is of other repetitions"
grep -q 'repetitions' messages || fail "the message does not say that the journal is of other repetitions"

# A mistake in the last name is found before the first one runs.
"$reassemble" measure --gpu mali-g71-mp8 -o none.json gemm-64 micro/empty:GROUP=3 2>messages && fail "there is no parameter GROUP"
grep -q '"GROUP" is not a parameter' messages || fail "the message does not name the parameter"
grep -q 'workloads' messages && fail "a workload ran before all were read"

# Without the file's GPU, without a device, with a device that is not there: a message, no file.
"$reassemble" measure -o none.json gemm-64 2>messages && fail "a board file needs --gpu"
grep -q -- '--gpu is missing' messages || fail "the message does not name --gpu"
"$reassemble" measure --device nonsuch gemm-64 2>messages && fail "there is no such device"
grep -q -- '--device nonsuch is none or several' messages || fail "the message does not name the device"
OCL_ICD_VENDORS=$scratch/nothing "$reassemble" measure -g mali-g71-mp8 -o none.json gemm-64 2>messages && fail "measured without a device"
grep -q 'offers no device' messages || fail "the message does not say that there is no device"
[ ! -e none.json ] || fail "a board file without measurements was written"
