# shellcheck shell=sh
# Sourced: lists of the files below the current folder, the root of the tree, in the order of their names.
project_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files
  else
    find . -path ./build -prune -o -type f -print | sed 's|^\./||'
  fi | LC_ALL=C sort
}
source_files() {
  project_files | grep '\.[ch]$'
}
