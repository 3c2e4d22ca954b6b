#!/bin/sh
# Every file that a command writes goes where its name leads: devices and pipes are written through, of a link what it
# leads to is replaced; standard output is refused. What a folder held of earlier runs is neither lost nor mixed unseen.
# Usage: outputs.sh PROGRAM SOURCE FOLDER
set -eu
program=$1
source=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cp "$source/tests/golden/gemm-4.rtrace" t.rtrace
printf '__kernel void f(__global int *a) { a[get_global_id(0)] = 1; }\n' >k.cl
printf '__kernel void g(__global int *a) { a[get_global_id(0)] = 2; }\n' >>k.cl

simulate() { "$program" simulate --gpu mali-g71-mp8 t.rtrace --timeline "$1"; }
scatter() { "$program" validate --gpu mali-g71-mp8 --board hikey960-gemm-variants --scatter "$1"; }
dot() { "$program" info t.rtrace --dot "$1"; }
save() { "$program" trace k.cl --kernel f --global 64 --local 8 --arg 'int[64]' --quiet -o traces --save "$1"; }

fail() {
  echo "$*" >&2
  exit 1
}

writes_through() { # command
  $1 plain >/dev/null
  mkfifo pipe
  timeout 60 cat pipe >copy &
  $1 pipe >/dev/null
  wait
  cmp plain copy
  [ -p pipe ] || fail "$1 has replaced the pipe"
  if $1 /dev/full >/dev/null 2>errors; then
    fail "$1 did not notice that the device is full"
  fi
  grep -q "No space left on device" errors
  [ -c /dev/full ] || fail "$1 has replaced /dev/full"
  mkdir -p elsewhere
  echo old >elsewhere/target
  ln -s elsewhere/target link
  $1 link >/dev/null
  [ -L link ] || fail "$1 has replaced the link"
  cmp plain elsewhere/target
  rm -r plain pipe copy link elsewhere
}

for command in simulate scatter dot save; do
  writes_through $command
done

for command in simulate scatter save; do
  if $command - >/dev/null 2>errors; then
    fail "$command took - for a name"
  fi
  grep -q "standard output has the results" errors
  [ ! -e ./- ] || fail "$command has made a file -"
done

# Traces: another kernel or another launch of a file has another name; what is replaced is said, and so is what stays.
trace() { "$program" trace k.cl --kernel "$1" --global "$2" --local 8 --arg 'int[64]' -o made 2>errors >/dev/null; }
trace f 64
trace g 64
trace f 32
[ -f made/k.f.64.8.rtrace ] && [ -f made/k.g.64.8.rtrace ] && [ -f made/k.f.32.8.rtrace ] || fail "names: $(ls made)"
[ ! -s errors ] || fail "nothing was replaced: $(cat errors)"
trace f 64
grep -q "^reassemble: made: replaced, from an earlier run: k.f.64.8.rtrace$" errors || fail "replaced: $(cat errors)"

: >made/gemm-64.7.rtrace
"$program" trace gemm-64 -o made 2>errors >/dev/null
grep -q "^reassemble: made: also there, of the same name but not made by this run: gemm-64.7.rtrace$" errors ||
  fail "left: $(cat errors)"

# A trace's own name may lead elsewhere, too.
mkdir -p led elsewhere
ln -s ../elsewhere/target.rtrace led/gemm-64.rtrace
"$program" trace gemm-64 -o led --quiet >/dev/null
[ -L led/gemm-64.rtrace ] || fail "the link to a trace was replaced"
cmp elsewhere/target.rtrace made/gemm-64.rtrace
