#!/bin/sh
# A stranger's kernel learns nothing of files outside of its folder and its -I folders, and what it makes stays in the folder
# for traces; a compiler that crashes leaves no files.
# Usage: confined.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder/kernels/inner" "$folder/elsewhere" "$folder/temporary"
cd "$folder"
export TMPDIR="$folder/temporary"
echo 'SECRET_OF_SOMEBODY password' >elsewhere/secret
echo '#define ONE 1' >kernels/inner/one.h
echo '#define TWO 2' >elsewhere/two.h
body='__kernel void k(__global int *a) { a[get_global_id(0)] = ONE; }'

trace() { "$program" trace "$@" --kernel k --global 8 --local 4 --arg 'int[8]' -o traces >out 2>&1; }

fail() {
  cat out >&2
  echo "$*" >&2
  exit 1
}

printf '#include "../elsewhere/secret"\n%s\n' "$body" >kernels/a.cl
printf '#include "%s/elsewhere/secret"\n%s\n' "$folder" "$body" >kernels/b.cl
ln -s ../elsewhere/secret kernels/link
printf '#include "link"\n%s\n' "$body" >kernels/c.cl
for kernel in a b c; do
  if trace kernels/$kernel.cl; then fail "$kernel.cl was compiled"; fi
  if grep -q -e SECRET -e password out; then fail "$kernel.cl shows a file of somebody else"; fi
done

# The kernel's own folder, and what the user names, can be read as ever.
printf '#include "inner/one.h"\n%s\n' "$body" >kernels/d.cl
trace kernels/d.cl || fail "a header in the folder of the kernel"
printf '#include "inner/one.h"\n#include "two.h"\n%s\n' "$body" >kernels/e.cl
trace kernels/e.cl --options '-I elsewhere' || fail "a header in an -I folder"

# A definition may name a folder that the source includes files of, and not the top folder by another name.
if "$program" --confinement | grep -q Landlock; then
  trace kernels/b.cl --options "-D AT=$folder/elsewhere" || true
  ! grep -q "Permission denied" out || fail "a header in the folder of a definition"
  for top in / // /./ /tmp/.. /proc/self/root; do
    if trace kernels/b.cl --options "-D AT=$top"; then fail "b.cl was compiled with $top"; fi
    grep -q "Permission denied" out || fail "b.cl was read by $top"
  done
fi

# A name for which the system takes no rule, such as that of a pipe, opens nothing else.
if "$program" --confinement | grep -q Landlock; then
  if true | trace kernels/b.cl --options '-I /proc/self/fd/0'; then fail "b.cl was compiled beside a pipe"; fi
  grep -q "cannot open file .*secret.*Permission denied" out || fail "b.cl was read beside a pipe"
fi

[ -z "$(ls temporary)" ] || fail "left in the folder for temporary files: $(ls temporary)"
[ -z "$(ls -A traces | grep -v '\.rtrace$')" ] || fail "left beside the traces: $(ls -A traces)"

"$program" --confinement | grep -q '^kernels run ' || fail "--confinement"
