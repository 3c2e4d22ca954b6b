#!/bin/sh
# Product code lets arrays grow by base/array.h, but for the calls of realloc in the files of realloc_allowed.txt, each with a reason.
# A line of that list whose file calls realloc no more fails too.
# Usage: raw_realloc.sh ROOT [ALLOWED]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
allowed=${2:-$here/realloc_allowed.txt}
cd "$1"
. "$here/source_files.sh"
names=$(sed 's/ .*//' "$allowed")
# shellcheck disable=SC2046 # names of files have no spaces
callers=$(grep -lE '(^|[^A-Za-z_.>])realloc\(' /dev/null $(project_files | grep -E '\.[ch]$' | grep -v '^tests/') || :)
status=0
for file in $callers; do
  echo "$names" | grep -qxF "$file" || { grep -nE '(^|[^A-Za-z_.>])realloc\(' /dev/null "$file"; status=1; }
done
[ $status = 0 ] || echo "let arrays grow by array_room, array_room_for_one or array_room_u32 (base/array.h), or name the file with its reason in $allowed"
for file in $names; do
  echo "$callers" | grep -qxF "$file" || { echo "$allowed: $file calls realloc no more"; status=1; }
done
exit $status
