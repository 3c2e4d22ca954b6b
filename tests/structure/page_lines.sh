#!/bin/sh
# Lines of prose in pages (*.md) have at most 120 characters, so that they can be read in an editor and compared line by line. Comments
# (<!-- ... -->) do not count. Tables, headings, blocks of code and lines that cannot be broken are left out. A line cannot be
# broken inside of `code` and of a [link](to).
# Usage: page_lines.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
. "$here/source_files.sh"
# shellcheck disable=SC2046 # names of files have no spaces
awk '
  function without_comments(line) {
    while (match(line, / *<!--[^`>]*-->/) && substr(line, RSTART, 5) != "`<!--")
      line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
    return line
  }
  function joined(line, pattern,    done, part) { # without the spaces inside of what matches
    while (match(line, pattern)) {
      part = substr(line, RSTART, RLENGTH)
      gsub(/ /, "_", part)
      done = done substr(line, 1, RSTART - 1) part
      line = substr(line, RSTART + RLENGTH)
    }
    return done line
  }
  function can_be_broken(line) {
    line = joined(joined(line, "`[^`]*`"), "\\[[^]]*\\]\\([^)]*\\)")
    sub(/^ *([-*+>]|[0-9]+[.]) +/, "", line)
    sub(/^ +/, "", line)
    sub(/ +$/, "", line)
    return line ~ / /
  }
  FNR == 1 { fenced = 0; listed = 0; blank = 1; indented = 0 }
  /^ *```/ { fenced = !fenced; next }
  fenced { next }
  /^ *$/ { blank = 1; next }
  {
    item = /^ *([-*+]|[0-9]+[.]) /
    if (item) listed = 1
    else if (blank && /^[^ ]/) listed = 0
    if (blank) indented = !listed && /^    /
    blank = 0
  }
  indented || /^ *([|#]|<[a-z\/])/ { next }
  length($0) > 120 {
    line = without_comments($0)
    gsub(/[\200-\277]/, "", line) # bytes that continue a character
    if (length(line) > 120 && can_be_broken(line)) {
      print FILENAME ":" FNR ": a line of prose has " length(line) " characters, expected at most 120"
      bad = 1
    }
  }
  END { exit bad }' $(project_files | grep '[.]md$')
