#!/bin/sh
# Prints, for every folder with C code: its number of files and lines, its longest function and its longest file; and fails where one
# is over the limits of limits.txt. A function is counted from the line of its name to its closing brace.
# Usage: folders.sh ROOT [LIMITS]   (ROOT holds the folders of the product)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
limits=$(realpath "${2:-$here/limits.txt}")
cd "$1"
. "$here/source_files.sh"

source_files | xargs awk -v limits="$limits" '
  function limit(folder, what) {
    return (folder, what) in most ? most[folder, what] : most["*", what]
  }
  function check(folder, what, found, where) {
    if (found <= limit(folder, what)) return
    over[++overs] = sprintf("%s: %s is %d, at most %d are allowed%s", folder, what, found, limit(folder, what), where)
  }
  function end_of_function() {
    length_ = FNR - begin + 1
    if (length_ > longest[folder]) { longest[folder] = length_; longest_name[folder] = FILENAME ":" begin }
    check(folder, "function_lines", length_, ", " FILENAME ":" begin)
  }
  BEGIN {
    while ((getline row < limits) > 0)
      if (row !~ /^#/ && split(row, field, /[ \t]+/) >= 3) most[field[1], field[2]] = field[3]
  }
  FNR == 1 {
    folder = FILENAME
    if (!sub("/[^/]*$", "", folder)) folder = "."
    files[folder]++
    begin = 0; body = 0
    file[++count] = FILENAME; folder_of[FILENAME] = folder
  }
  { lines[FILENAME] = FNR; sum[folder]++ }
  # clang-format breaks code at 120 characters and leaves comments as they are. Bytes of other alphabets do not count as characters.
  length($0) > limit(folder, "line_characters") && !/[^ -~\t]/ {
    check(folder, "line_characters", length($0), ", " FILENAME ":" FNR)
  }
  # Names start in the first column, so do the closing braces of functions (.clang-format).
  /^[A-Za-z_].*\(/ && !body { begin = FNR }
  begin && !body && /;[ \t]*(\/\*.*)?$/ { begin = 0 }
  begin && !body && /\{$/ { body = !/=[ \t]*\{$/ && !/^(typedef|struct [a-z_]+ \{|enum|union)/; if (!body) begin = 0 }
  body && /^}/ { end_of_function(); begin = 0; body = 0 }
  END {
    for (i = 1; i <= count; i++) {
      path = file[i]; f = folder_of[path]
      if (!(f in files_of)) { order[++folders] = f; files_of[f] }
      if (lines[path] > most_lines[f]) { most_lines[f] = lines[path]; most_name[f] = path }
      check(f, "file_lines", lines[path], ", " path)
    }
    printf "%-28s %5s %7s %9s  %-52s %5s  %s\n", "folder", "files", "lines", "function", "longest function", "file", "longest file"
    for (i = 1; i <= folders; i++) {
      f = order[i]
      printf "%-28s %5d %7d %9d  %-52s %5d  %s\n", f, files[f], sum[f], longest[f], longest_name[f], most_lines[f], most_name[f]
      all_files += files[f]; all_lines += sum[f]
      check(f, "files", files[f], "")
    }
    printf "%-28s %5d %7d\n", "all", all_files, all_lines
    for (i = 1; i <= overs; i++) print "over the limit: " over[i]
    exit overs > 0
  }'
