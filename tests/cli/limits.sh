#!/bin/sh
# Under limits of the shell that leave no room for their work, commands name the limit.
# Usage: limits.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

refuses() { # limit as ulimit takes it, expected text, command
  limit=$1
  text=$2
  shift 2
  status=0
  (ulimit $limit && exec "$program" "$@" >out 2>errors) || status=$?
  if [ $status != 1 ] || ! grep -q "$text" errors; then
    echo "ulimit $limit: $*: exit $status: $(cat errors)" >&2
    exit 1
  fi
}
printf '__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n' >k.cl

# shellcheck disable=SC2086 # an option and its value
for words in "trace saxpy -o made --quiet" "info k.cl" "dse tables-5.11-5.18 -o made --quiet" "params --gpu mali-g71-mp8" "list gpus"; do
  refuses '-s 64' 'the limit of the stack is below 256 KiB' $words
done
refuses '-n 20' 'the limit of open files is below 64' trace saxpy -o made --quiet
refuses '-n 63' 'the limit of open files is below 64' list gpus
(ulimit -n 64 && exec "$program" trace saxpy -o whole --quiet >out) || { echo "ulimit -n 64 is not enough" >&2; exit 1; }
refuses '-v 3000000' 'cannot reserve 16 GiB of address space for buffers: .*ulimit -v' trace saxpy -o made --quiet
refuses '-v 17500000' 'ulimit -v' trace saxpy -o made --quiet
# Somewhere here this program finds room for its libraries, and the compiler finds none for its own, which is installed all the same.
for room in 180000 200000 220000 240000; do
  (ulimit -v $room && exec "$program" info k.cl >out 2>errors) || true
  if grep -q "install it" errors; then
    echo "ulimit -v $room: $(cat errors)" >&2
    exit 1
  fi
done
[ -z "$(ls -A made 2>/dev/null)" ] || { echo "left: $(ls -A made)" >&2; exit 1; }
