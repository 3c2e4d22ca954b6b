#!/bin/sh
# Programs are linked so that no table of theirs can be written to after the start, and no stack can hold code.
# Usage: hardened.sh FILE...
set -eu
for file in "$@"; do
  readelf -dW "$file" | grep -q 'BIND_NOW\|Flags:.* NOW' || { echo "$file: functions of libraries are bound late" >&2; exit 1; }
  readelf -lW "$file" | grep -q GNU_RELRO || { echo "$file: no read-only relocations" >&2; exit 1; }
  if readelf -lW "$file" | grep GNU_STACK | grep -q E; then
    echo "$file: the stack is executable" >&2
    exit 1
  fi
done
