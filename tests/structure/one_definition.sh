#!/bin/sh
# No two source files of a program define one name: of two definitions in libraries the linker takes either without a word.
# Layers are libraries of their own, which the program only needs to be there.
# Usage: one_definition.sh BUILD TARGET (a file that ninja makes there)
set -eu
cd "$1"
command -v ninja >/dev/null && [ -e build.ninja ] || { echo "not built by ninja: the objects are not known"; exit 77; }
twice=$(ninja -t inputs "$2" | grep '\.o$' | grep -v '_layer\.dir' | xargs nm -A --defined-only |
  awk '$2 ~ /^[TDBR]$/ { object = $1; sub(/:[0-9a-f]*$/, "", object); print $3, object }' |
  sort -u | awk '$1 == name { print name ": " object " and " $2 } { name = $1; object = $2 }')
[ -z "$twice" ] || { echo "defined twice:"; echo "$twice"; exit 1; }
[ "$(ninja -t inputs "$2" | grep -c '\.o$')" -gt 100 ] || { echo "hardly any object was found: the test tests nothing"; exit 1; }
