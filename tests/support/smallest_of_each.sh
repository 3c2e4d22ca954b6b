#!/bin/sh
# Of workloads that differ in their sizes alone, the smallest: reads paths of workload files and writes those whose first number behind a dash is
# the least among the names that are equal but for their numbers (atax-256-kernel1 of atax-256-kernel1, atax-512-kernel1 and so on).
# Usage: smallest_of_each.sh <paths
awk '{
  name = $0; sub(/.*\//, "", name); kernel = ""
  if (match(name, /-?kernel[0-9]+/)) { kernel = substr(name, RSTART, RLENGTH); sub(/-?kernel[0-9]+/, "", name) }
  size = match(name, /-[0-9]+/) ? substr(name, RSTART + 1, RLENGTH - 1) + 0 : 0
  gsub(/[0-9]+(x[0-9]+)*/, "#", name); name = name kernel
  if (!(name in least) || size < least[name]) { least[name] = size; path[name] = $0 }
}
END { for (name in path) print path[name] }' | LC_ALL=C sort
