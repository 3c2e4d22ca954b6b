#!/bin/sh
# A condition on a pointer is the pointer itself or `!pointer`. `!= NULL` stays where its value is kept, returned or an argument.
# Usage: null_checks.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
. "$here/source_files.sh"
# shellcheck disable=SC2046 # names of files have no spaces
found=$(grep -nE '== NULL|!= NULL *(&&|\|\||\?)|(&&|\|\|) [^"&|]*!= NULL|\b(if|while) \([^()]*(\([^()]*\))?[^()]*!= NULL\)' /dev/null \
  $(project_files | grep -E '\.[ch]$') || :)
[ -z "$found" ] || { echo "$found"; echo "write the pointer itself or its negation in a condition, without NULL"; exit 1; }
