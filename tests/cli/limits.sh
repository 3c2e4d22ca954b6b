#!/bin/sh
# Under limits of the shell that leave no room for emulation, `trace` names the limit.
# Usage: limits.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

refuses() { # limit as ulimit takes it, expected text
  status=0
  (ulimit $1 && exec "$program" trace saxpy -o made --quiet >out 2>errors) || status=$?
  if [ $status != 1 ] || ! grep -q "$2" errors; then
    echo "ulimit $1: exit $status: $(cat errors)" >&2
    exit 1
  fi
}

# shellcheck disable=SC2086 # an option and its value
refuses '-s 64' 'the limit of the stack is 64 KiB, and emulation needs 256 (ulimit -s)'
refuses '-v 3000000' 'cannot reserve 16 GiB of address space for buffers: .*ulimit -v'
[ -z "$(ls -A made 2>/dev/null)" ] || { echo "left: $(ls -A made)" >&2; exit 1; }
