#!/bin/sh
# Every row of mutations.txt changes its file: the mistakes that the nightly run tries are still mistakes in this tree.
# Usage: apply.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
changed=$(mktemp)
trap 'rm -f "$changed"' EXIT
status=0
tab=$(printf '\t')
while IFS=$tab read -r name file substitution tests; do
  if [ -z "$tests" ] || ! sed "$substitution" "$file" >"$changed" || cmp -s "$changed" "$file"; then
    echo "mutations.txt: $name changes nothing in $file"
    status=1
  fi
done <<ROWS
$(grep -v '^#' "$here/mutations.txt" | sed 's/   */\t/g')
ROWS
exit $status
