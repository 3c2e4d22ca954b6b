/* For benchmarks: the clock, the least of several times, and the program itself, which some start again. */
#ifndef BENCH_STOP_WATCH_H
#define BENCH_STOP_WATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double less(double a, double b) {
  return a < b ? a : b;
}

struct program_path {
  char text[4096];
};

static inline struct program_path program_path(void) {
  struct program_path path;
  const ssize_t length = readlink("/proc/self/exe", path.text, sizeof path.text - 1);
  if (length < 0)
    exit(1);
  path.text[length] = '\0';
  return path;
}

#endif
