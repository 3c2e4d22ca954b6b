#!/bin/sh
# Prints the cycles of includes, between files and between folders, and fails when there are more than limits.txt allows.
# A cycle is a set of files (or folders) each of which includes every other one, over any number of steps.
# Usage: include_cycles.sh ROOT [LIMITS]   (ROOT holds the folders of the product)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
limits=$(realpath "${2:-$here/limits.txt}")
cd "$1"
. "$here/source_files.sh"

# Lines "file included-file". A quoted name is looked for from the root, then in the file's own folder, then in tests/support.
edges() {
  source_files | xargs awk '
    function resolved(name, folder,    i, path) {
      path[1] = name; path[2] = folder "/" name; path[3] = "tests/support/" name
      for (i = 1; i <= 3; i++) if (path[i] in known) return path[i]
      return ""
    }
    BEGIN { for (i = 1; i < ARGC; i++) known[ARGV[i]] }
    /^[ \t]*#[ \t]*include "/ {
      split($0, part, "\""); folder = FILENAME; sub("/[^/]*$", "", folder)
      if (resolved(part[2], folder) != "") print FILENAME, resolved(part[2], folder)
    }'
}
# A folder and one inside of it may know each other: the outer one holds the headers for everyone.
folders_of_edges() {
  awk '{
    a = $1; b = $2; sub("/[^/]*$", "", a); sub("/[^/]*$", "", b)
    if (index(a "/", b "/") != 1 && index(b "/", a "/") != 1) print a, b
  }' | sort -u
}

# Strongly connected components of a list of edges (Tarjan, SIAM J. Comput. 1 (1972), p. 146), those with a cycle in them.
cycles() {
  awk '
    { edge[$1, degree[$1]++] = $2; node[$1]; node[$2]; if ($1 == $2) itself[$1] }
    function visit(v,    i, w, size, text) {
      number[v] = low[v] = ++count; stack[++top] = v; on[v] = 1
      for (i = 0; i < degree[v]; i++) {
        w = edge[v, i]
        if (!(w in number)) { visit(w); if (low[w] < low[v]) low[v] = low[w] }
        else if (on[w] && number[w] < low[v]) low[v] = number[w]
      }
      if (low[v] != number[v]) return
      do { w = stack[top--]; on[w] = 0; size++; text = text " " w } while (w != v)
      if (size > 1 || v in itself) print "cycle:" text
    }
    END { for (v in node) if (!(v in number)) visit(v) }'
}

check() { # what the edges are between; reads edges
  found=$(cycles)
  count=$(printf '%s' "$found" | grep -c . || true)
  allowed=$(awk -v key="$1_cycles" '$2 == key { print $3 }' "$limits")
  printf '%s: %s include cycles (at most %s)\n%s\n' "$1" "$count" "$allowed" "$found"
  [ "$count" -le "$allowed" ]
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
edges >"$scratch/files"
folders_of_edges <"$scratch/files" >"$scratch/folders"
status=0
check file <"$scratch/files" || status=1
check folder <"$scratch/folders" || status=1
exit $status
