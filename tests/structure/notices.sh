#!/bin/sh
# The checks of structure fail on a small tree with a cycle of two headers, a cycle of two folders, a function of 13 lines and two files
# too many; each with limits that allow everything else. The check of pages fails on a long line of prose, and
# on nothing else of a page. The check of comments fails on a question in C and in a script, that of
# null_checks on conditions with NULL alone, that of raw_realloc on a call that no line of its list allows, and on a line too many.
# Usage: notices.sh SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/tree/a" "$scratch/tree/b"
cd "$scratch/tree"
git init -q . # so that the list of files is that of this tree
printf '#include "a/two.h"\n' >a/one.h
printf '#include "a/one.h"\n#include "b/three.h"\n' >a/two.h
printf '#include "a/one.h"\n' >b/three.h
{
  printf 'int long_one(int x) {\n'
  for _ in 1 2 3 4 5 6 7 8 9 10; do printf '  x++;\n'; done
  printf '  return x;\n}\n'
} >b/long.c
words() { # N: N words with a space behind each, 10 characters
  for _ in $(seq "$1"); do printf 'some_text '; done
}
{
  printf '# '; words 13
  printf '\n| a table | '; words 13
  printf '|\n\n    reassemble in a block '; words 13
  printf '\n\n```\n'; words 13
  printf '\n```\n\n* `code that '; words 13
  printf '`\n* [a link '; words 13
  printf '](to)\n* short <!-- result: '; words 13
  printf -- '-->\n'
} >page.md
git add .

status=0
fails() { # text, script, rows of limits...: the script fails under these limits and prints the text
  text=$1; script=$2; shift 2
  printf '%s\n' "$@" >"$scratch/limits.txt"
  if "$here/$script" . "$scratch/limits.txt" >"$scratch/output"; then
    echo "$script does not notice: $text"; status=1
  elif ! grep -q "$text" "$scratch/output"; then
    echo "$script does not print: $text"; cat "$scratch/output"; status=1
  fi
}
fails "cycle: .*a/one.h" include_cycles.sh "* file_cycles 0" "* folder_cycles 1"
fails "folder: 1 include cycles" include_cycles.sh "* file_cycles 1" "* folder_cycles 0"
fails "b: function_lines is 13" folders.sh "* files 9" "* file_lines 99" "* function_lines 12"
fails "b: file_lines is 13" folders.sh "* files 9" "* file_lines 12" "* function_lines 99"
fails "a: files is 2" folders.sh "* files 2" "a files 1" "* file_lines 99" "* function_lines 99"
"$here/page_lines.sh" . || { echo "page_lines.sh fails on a page with nothing to break"; status=1; }
{ printf '\nProse:\n* '; words 13; } >>page.md
fails "page.md:15: a line of prose has 132 characters" page_lines.sh
"$here/comments.sh" . || { echo "comments.sh fails on a tree without questions"; status=1; }
printf '/* Whether it fails. */\n' >>a/one.h
fails "a/one.h:2:" comments.sh
printf '/* Returns whether it fails. */\n' >a/one.h
printf 'true #%s\n' ' Of the shell.' >a/run.sh
git add .
fails "a/run.sh:1:" comments.sh
printf 'int same(const char *a, const char *b) {\n  const int kept = a != NULL;\n  return kept == (b != NULL);\n}\n' >a/null.c
git add .
"$here/null_checks.sh" . || { echo "null_checks.sh fails on values that are kept"; status=1; }
for condition in 'a == NULL' 'a != NULL' 'a != NULL && b' 'b && a != NULL'; do
  printf 'int both(const char *a, const char *b) {\n  if (%s)\n    return a != b;\n  return 0;\n}\n' "$condition" >a/null.c
  fails "a/null.c:2:" null_checks.sh
done
git add .
"$here/raw_realloc.sh" . /dev/null || { echo "raw_realloc.sh fails on a tree without realloc"; status=1; }
printf 'void *larger(void *p) {\n  return realloc(p, 2);\n}\n' >a/null.c
fails "a/null.c:2:" raw_realloc.sh "b/long.c none"
fails "b/long.c calls realloc no more" raw_realloc.sh "a/null.c shown" "b/long.c none"
printf '%s\n' "a/null.c shown" >"$scratch/limits.txt"
"$here/raw_realloc.sh" . "$scratch/limits.txt" || { echo "raw_realloc.sh fails on a call that is allowed"; status=1; }
exit $status
