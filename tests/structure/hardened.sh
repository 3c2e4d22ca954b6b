#!/bin/sh
# Programs are linked so that no table of theirs can be written to after the start, and no stack can hold code.
# With --checked the compiler's checks of buffers and stack frames are in them as well.
# Usage: hardened.sh [--checked] FILE...
set -eu
checked=
[ "$1" != --checked ] || { checked=yes; shift; }
for file in "$@"; do
  readelf -dW "$file" | grep -q 'BIND_NOW\|Flags:.* NOW' || { echo "$file: functions of libraries are bound late" >&2; exit 1; }
  readelf -lW "$file" | grep -q GNU_RELRO || { echo "$file: no read-only relocations" >&2; exit 1; }
  if readelf -lW "$file" | grep GNU_STACK | grep -q E; then
    echo "$file: the stack is executable" >&2
    exit 1
  fi
  [ -n "$checked" ] || continue
  for function in '__stack_chk_fail' '__[a-z]*printf_chk'; do
    readelf --dyn-syms -W "$file" | grep -q " $function" || { echo "$file: no calls of $function" >&2; exit 1; }
  done
done
