#!/bin/sh
# Every file of the project that a page (*.md) or a comment names exists. A name is a word with the ending of a source file or page,
# or one that begins with a folder of the root. It may be a path from the root, from the page's folder, the end of a path, or a
# pattern with *; a test may be named as ctest does, a program as its source without the ending. Blocks of code in pages are left out: commands.sh runs them.
# names_allowed.txt lists what may be named all the same, with the reason.
# Usage: names_exist.sh ROOT [ALLOWED]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
allowed=$(realpath "${2:-$here/names_allowed.txt}")
cd "$1"
. "$here/../structure/source_files.sh"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
project_files >"$list"

# shellcheck disable=SC2046 # names of files have no spaces
awk -v list="$list" -v allowed="$allowed" '
  function remember(path,    end) { # every end of the path, and of its folders
    while (path != "") {
      known_path[path]
      end = path
      while (1) { known_end[end]; if (!sub("^[^/]*/", "", end)) break }
      if (!sub("/[^/]*$", "", path)) break
    }
  }
  function matches(pattern,    path) {
    gsub(/[.]/, "\\.", pattern); gsub(/\*/, "[^/]*", pattern)
    for (path in known_path) if (path ~ "(^|/)" pattern "$") return 1
    return 0
  }
  function from_page(name, folder) {
    while (sub("^[.][.]/", "", name)) if (!sub("/[^/]*$", "", folder)) folder = ""
    return folder == "" ? name : folder "/" name
  }
  function exists(name, folder) {
    if (name in known_end || from_page(name, folder) in known_path) return 1
    if (index(name, "*") && matches(name)) return 1
    return name !~ /[.]/ && is_short_for_a_file(name)
  }
  function is_short_for_a_file(name,    test) { # a program by its source, a test by its name, a decision by its number
    test = name
    sub("^tests/", "", test)
    test = "tests/" test
    if (test in known_path || matches(test ".sh") || matches(name ".c") || matches(name "-*.md")) return 1
    sub("/[^/]*$", "/test_&", test); sub("/test_/", "/test_", test)
    return matches(test ".c")
  }
  function allow(pattern) {
    gsub(/[.]/, "\\.", pattern); gsub(/\*/, ".*", pattern)
    may[++allowances] = "^" pattern "$"
  }
  function is_allowed(word,    i) {
    for (i = 1; i <= allowances; i++) if (word ~ may[i]) return 1
    return 0
  }
  function is_name(word) {
    if (word ~ /[.](c|h|cpp|md|sh|cmake)$/ && word !~ /^[.*]*[.][a-z]+$/) return 1
    match(word, "^[^/]*/")
    return RLENGTH > 1 && substr(word, 1, RLENGTH - 1) in top
  }
  function check(text,    n, word, i) {
    gsub(/https?:[^ )]*/, " ", text)
    gsub(/[^ ]*[<>$][^ ]*/, " ", text)
    n = split(text, word, /[^A-Za-z0-9_.\/*+-]+/)
    for (i = 1; i <= n; i++) {
      sub(/^[.]\//, "", word[i]); sub(/[.\/]+$/, "", word[i]); sub(/^[*]+/, "", word[i])
      if (!is_name(word[i]) || exists(word[i], folder) || is_allowed(word[i])) continue
      print FILENAME ":" FNR ": names " word[i] ", which does not exist"; missing++
    }
  }
  BEGIN {
    while ((getline path < list) > 0) { remember(path); if (index(path, "/")) { split(path, part, "/"); top[part[1]] } }
    while ((getline row < allowed) > 0) if (row !~ /^#/) { split(row, field, /[ \t]+/); allow(field[1]) }
  }
  FNR == 1 { folder = FILENAME; if (!sub("/[^/]*$", "", folder)) folder = ""; code = 0; comment = 0 }
  FILENAME ~ /[.]md$/ { if (/^ *```/) { code = !code; next } if (!code) check($0); next }
  FILENAME ~ /[.](c|h|cpp)$/ {
    line = $0
    while (line != "") {
      if (comment) {
        at = index(line, "*/")
        check(at ? substr(line, 1, at - 1) : line)
        line = at ? substr(line, at + 2) : ""
        comment = !at
      } else if (match(line, /\/\*|\/\/ /)) {
        if (substr(line, RSTART, 2) == "//") { check(substr(line, RSTART + 2)); line = "" }
        else { line = substr(line, RSTART + 2); comment = 1 }
      } else line = ""
    }
    next
  }
  match($0, /(^|[ \t])#[ !]/) { check(substr($0, RSTART + RLENGTH)) } # scripts, CMake, YAML
  END { exit missing > 0 }' $(grep -E '\.(md|c|h|cpp|sh|cmake|yaml)$|(^|/)CMakeLists\.txt$|^packages\.txt$' "$list")
