#!/bin/sh
# The top folder holds what top_level.txt names and nothing else, so that a test's own files that were added by mistake are noticed.
# Usage: top_level.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
if ! entries=$(git ls-files 2>/dev/null) || [ -z "$entries" ]; then
  echo "skipped: not a git checkout"
  exit 77
fi
echo "$entries" | sed 's,/.*,,' | sort -u | grep -vxFf "$here/top_level.txt" || exit 0
echo "the top folder must not hold these; if one belongs there, add it to tests/structure/top_level.txt" >&2
exit 1
