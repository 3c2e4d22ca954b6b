#!/bin/sh
# Places that refuse what is written to them: full, read-only, too small for a file, not to be made; and two writers in one
# folder. Each command says why and ends with exit code 1 or 2, files under final names are whole, and no unfinished one stays.
# Usage: places.sh PROGRAM SOURCE FOLDER
set -eu
program=$1
source=$2
folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export REASSEMBLE_DATA="$source" TMPDIR="$folder"
tried=0

fail() { echo "$*" >&2; exit 1; }

refused() { # exit code, words of the message, shell command
  status=0
  sh -c "$3" >out 2>errors || status=$?
  [ $status = "$1" ] || { cat errors >&2; fail "$3: exit code $status, expected $1"; }
  grep -q "$2" errors || { cat errors >&2; fail "$3: expected \"$2\""; }
  tried=$((tried + 1))
}

whole() { # folder: all files in it are whole traces, and there is nothing else
  for file in "$1"/* "$1"/.[!.]*; do
    [ ! -e "$file" ] || "$program" info "$file" >/dev/null || fail "$file is not whole"
  done
}

refused 1 "cannot make the folder" "'$program' trace saxpy --quiet -o /proc/none"
refused 1 "too large" "ulimit -f 1; '$program' trace gemm-64 --quiet -o small"
whole small
refused 1 "too large" "ulimit -f 1; '$program' simulate --gpu mali-g71-mp8 gemm-64 --quiet --timeline line.json"
[ ! -e line.json ] || fail "a part of a timeline has its final name"

# A frame that is drawn where an earlier one was, which had more draws, and then not to its end: what there is of both is not taken for one.
if "$program" draw "$source/datasets/graphics/flat.rframe" -o drawn --quiet >drawn.txt 2>&1; then
  cp drawn/flat/draw-0.vertex.rtrace drawn/flat/draw-7.vertex.rtrace
  "$program" draw "$source/datasets/graphics/flat.rframe" -o drawn --quiet >/dev/null
  [ ! -e drawn/flat/draw-7.vertex.rtrace ] || fail "a draw of an earlier run stays"
  refused 1 "too large" "ulimit -f 1; '$program' draw '$source/datasets/graphics/flat.rframe' -o drawn --quiet"
  refused 2 "found no traces of draws" "'$program' frame drawn/flat --gpu mali-g71-mp8 --quiet"
fi

# Temporary folders of killed processes go with the next run, those of others stay.
gone=$(sh -c 'echo $$')
mkdir -p "reassemble-$gone-abcdef/inner" "reassemble-$$-abcdef"
touch "reassemble-$gone-abcdef/inner/file"
"$program" simulate --gpu mali-g71-mp8 saxpy --quiet >/dev/null
[ ! -e "reassemble-$gone-abcdef" ] || fail "the folder of a killed process stays"
[ -d "reassemble-$$-abcdef" ] || fail "the folder of a process that runs was removed"

# A file system of its own for each, where this user may have one.
if unshare -rm true 2>/dev/null; then
  mkdir -p place
  refused 1 "No space left on device" "unshare -rm sh -c 'mount -t tmpfs -o size=16k none place &&
    \"$program\" trace bfs-16384 --quiet -o place; status=\$?; mkdir -p kept; cp -a place/. kept/; exit \$status'"
  whole kept
  refused 1 "Read-only file system" "unshare -rm sh -c 'mount -t tmpfs -o ro none place && \"$program\" trace saxpy --quiet -o place'"
  refused 1 "No space left on device" "unshare -rm sh -c 'mount -t tmpfs -o size=4k none place &&
    \"$program\" dse tables-5.11-5.18 --quiet -o place/sweep'"
  "$program" simulate --gpu mali-g71-mp8 --json --quiet "$source/tests/golden/gemm-4.rtrace" >simulated.json
  for command in "simulate --gpu mali-g71-mp8 --quiet \"$source/tests/golden/gemm-4.rtrace\" --timeline place/file" \
    "info \"$source/tests/golden/gemm-4.rtrace\" --dot place/file" "report simulated.json --quiet -o place/file"; do
    refused 1 "No space left on device" "unshare -rm sh -c 'mount -t tmpfs -o size=4k none place; head -c 4096 /dev/zero >place/full
      \"$program\" $command; status=\$?; rm place/full; ls -A place >left; exit \$status'"
    [ ! -s left ] || fail "$command: left behind: $(cat left)"
  done
  refused 1 "its disk is full\|No space left" "unshare -rm sh -c 'mount -t tmpfs -o size=4k none place; head -c 4096 /dev/zero >place/full
    TMPDIR=\"$folder/place\" \"$program\" trace -o made --quiet -- true'"
else
  echo "full and read-only file systems: skipped, this user may not make any"
fi

# Two writers. Traces of both are the same, and whole; a sweep belongs to the first.
"$program" trace gemm-64 saxpy reduction --quiet -o two >/dev/null &
"$program" trace gemm-64 saxpy reduction --quiet -o two >/dev/null
wait $! || fail "the second of two writers has disturbed the first"
"$program" trace gemm-64 saxpy reduction --quiet -o one >/dev/null
diff -r one two
"$program" dse "$source/tests/determinism/sweep.yaml" --quiet -o one-sweep >/dev/null
"$program" dse "$source/tests/determinism/sweep.yaml" --quiet -o sweep >/dev/null &
first=$!
while [ ! -e sweep/journal ] && kill -0 $first 2>/dev/null; do sleep 0.01; done
refused 2 "holds results of a run already" "'$program' dse '$source/tests/determinism/sweep.yaml' --quiet -o sweep"
wait $first || fail "the second sweep has disturbed the first"
cmp one-sweep/results.csv sweep/results.csv
echo "$tried refusals, two pairs of writers: every file is whole"
