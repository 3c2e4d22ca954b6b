#!/bin/sh
# No comment begins with a word of a question (What, Which, Who, Whose, Whether, Of the, Does, Is it), because such a comment is half
# a sentence that needs the code below it. Comments of C, C++, tables (*.def), shell, CMake and Python are read.
# Usage: comments.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
. "$here/source_files.sh"
words='(What|Which|Who|Whose|Whether|Of the|Does|Is it)[ ,:.]'
status=0
found() { # files that match the first pattern, with lines that match the second one
  # shellcheck disable=SC2046 # names of files have no spaces
  ! grep -nE "$2" /dev/null $(project_files | grep -E "$1")
}
found '\.(c|h|cpp|def)$' "(/\*+|//) ?$words" || status=1
found '(\.(sh|cmake|py)|CMakeLists\.txt)$' "(^|[ 	])# ?$words" || status=1
[ $status = 0 ] || echo "these comments begin with the word of a question; say it in a full sentence"
exit $status
