/* Whole OpenCL programs under `reassemble trace --` beside the same programs alone on PoCL: processor time, user and
 * system, of all processes that a run starts, each the best of some rounds; the ratio; and by the clock what a launch
 * takes. PoCL has the kernels in its cache, as in every run of a program but the first.
 *
 * Usage: bench_programs [KIND...]; without arguments all kinds of programs/. Required: a ratio of at most 5 each, a
 * median of at most 2.5, and at most 1 ms a launch of "small". */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stop_watch.h"

#define SMALL "small" /* the kind whose launches do little: what a launch takes is its result */

enum { ROUNDS = 3, MOST_KINDS = 32, SMALL_LAUNCHES = 10000 };

struct cost {
  double processor, clock; /* seconds */
};

static double seconds_of(const struct timeval *t) {
  return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

/* Returns the processor time of all processes that this one has waited for. */
static double waited_seconds(void) {
  struct rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return seconds_of(&use.ru_utime) + seconds_of(&use.ru_stime);
}

static void become(const char *const *words) {
  if (!freopen("/dev/null", "w", stdout) || !freopen("/tmp/bench_programs.log", "w", stderr))
    _exit(1);
  execv(words[0], (char *const *)words);
  _exit(127);
}

/* Also waits for processes whose own parent has ended (PR_SET_CHILD_SUBREAPER). */
static struct cost run(const char *const *words) {
  const double cpu = waited_seconds(), clock = now();
  int status, first = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    become(words);
  for (pid_t ended; (ended = wait(&status)) > 0;)
    first = ended == child ? status : first;
  if (child < 0 || first != 0) {
    fprintf(stderr, "%s ended with status %d; /tmp/bench_programs.log has its messages\n", words[0], first);
    exit(1);
  }
  return (struct cost){waited_seconds() - cpu, now() - clock};
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

static struct cost run_traced(const char *folder, const char *host, const char *kind) {
  const char *const words[] = {REASSEMBLE, "trace", "--quiet", "--most", "1000000", "-o",
                               folder,     "--",    host,      kind,     NULL};
  const struct cost cost = run(words);
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return cost;
}

static struct cost run_alone(const char *host, const char *kind) {
  const char *const words[] = {host, kind, NULL};
  return run(words);
}

static void keep_best(struct cost *best, struct cost c, int round) {
  *best = round == 0 ? c : (struct cost){less(best->processor, c.processor), less(best->clock, c.clock)};
}

/* Prints a row. Returns the ratio. */
static double compare(const char *kind) {
  char folder[] = "/tmp/bench_programs-XXXXXX";
  struct cost alone = {0}, traced = {0};
  run_alone(BENCH_HOST, kind); /* fills PoCL's cache */
  for (int round = 0; round < ROUNDS; round++) {
    keep_best(&alone, run_alone(BENCH_HOST, kind), round);
    if (!mkdtemp(folder))
      exit(1);
    keep_best(&traced, run_traced(folder, BENCH_HOST, kind), round);
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
  }
  const double ratio = traced.processor / alone.processor;
  printf("%-14s %12.3f %12.3f %8.1f %12.3f %12.3f\n", kind, alone.processor, traced.processor, ratio, alone.clock,
         traced.clock);
  if (strcmp(kind, SMALL) == 0)
    printf("%-14s %12.3f ms of processor time a launch\n", kind, 1e3 * traced.processor / SMALL_LAUNCHES);
  fflush(stdout);
  return ratio;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The first word of each line that the host program prints without arguments. */
static size_t list_kinds(char names[MOST_KINDS][32]) {
  FILE *from = popen("exec '" BENCH_HOST "'", "r");
  size_t count = 0;
  while (from && count < MOST_KINDS && fscanf(from, "%31s%*[^\n]", names[count]) == 1)
    count++;
  if (!from || pclose(from) != 0)
    exit(1);
  return count;
}

int main(int argc, char **argv) {
  char names[MOST_KINDS][32];
  double ratios[MOST_KINDS];
  size_t count = 0;
  if (argc == 1)
    count = list_kinds(names);
  for (int i = 1; i < argc && i < MOST_KINDS; i++)
    snprintf(names[count++], sizeof names[0], "%s", argv[i]);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  printf("%-14s %12s %12s %8s %12s %12s\n", "program", "PoCL cpu s", "traced cpu s", "ratio", "PoCL s", "traced s");
  for (size_t i = 0; i < count; i++)
    ratios[i] = compare(names[i]);
  qsort(ratios, count, sizeof *ratios, by_value);
  printf("median %.1f, largest %.1f\n", ratios[count / 2], ratios[count - 1]);
  return 0;
}
