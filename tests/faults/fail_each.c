/* Runs a command again and again, and each time another of its allocations fails (fail_allocation.c). Usage:
 *   fail_each [-pvrl] [-n RUNS] [-t SECONDS] [-s|-m|-d|-c NAME]... [-k TEXT] PRELOADED FOLDER COMMAND...
 * By numbers, process by process; with -p by places, of which there are fewer. -n: that many of them, spread evenly.
 * FOLDER/inputs is what the command finds: each run has FOLDER/work as its current folder, with a copy of that and
 * nothing else, $TMPDIR (work/tmp) and $REASSEMBLE_CACHE (work/cache) in it. The command runs three times without a
 * failure, which shows what in its output and files differs from run to run.
 *
 * A run is at fault if a signal ends it or the time limit does (-t, 120 s); if it ends with exit code 0 and another
 * output or other files; with 1 and without a message that tells of memory (of libgomp: any; of OpenCL: its error -6);
 * with any other code; if it changes an input; if it leaves a file that the whole command does not leave, or another
 * one in place of it; or a process. The cache may hold other files. Not at fault are:
 *   -c NAME: with exit code 1, files whose name holds this text and that have some of their lines (journals)
 *   -m NAME: the same with any contents (a manifest that says it is not complete)
 *   -s NAME: with exit code 0, such files that are missing or different, where one that -m names says why (a launch
 *            that is skipped); the output is not compared then
 *   -d NAME: with exit code 0, such files that are different
 *   -k TEXT: exit code 2 with a message that holds this text
 *   -r: numbers in the output that are different (times, rates)
 *   -l: an end by glibc, whose message says that a variable of a thread in C++ has no memory
 * Prints the seconds of processor time, and what was said how often and the numbers of the first runs: of runs at
 * fault, and with -v of all. Exit code 1 if any run is at fault. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge_run.h"
#include "run_folder.h"

#define REFERENCES 3

static const char *preloaded;
static char **command;
static unsigned long runs; /* 0: all */
static double limit_s = 120;
static bool by_places, prints_all;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void start(const char *const settings[3]) {
  const int out = open("../stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int messages = open("../stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = open("/dev/null", O_RDONLY);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  if (dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(messages, 2) < 0)
    _exit(126);
  close(out), close(messages), close(nothing);
  for (int i = 0; i < 3; i++)
    if (settings[i])
      putenv((char *)settings[i]);
  setenv("LD_PRELOAD", preloaded, 1);
  execv(command[0], command);
  _exit(127);
}

/* Ends processes that the command has left. Returns whether there were any: it gives them two seconds. */
static bool end_orphans(void) {
  const double until = now() + 2;
  char path[64];
  size_t length;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (pid_t ended; (ended = waitpid(-1, NULL, WNOHANG)) >= 0 && now() < until;)
    if (ended == 0)
      usleep(1000);
  if (waitpid(-1, NULL, WNOHANG) < 0)
    return false;
  for (bool some = true; some;) {
    char *list = read_whole(path, &length);
    some = length > 0;
    for (char *at = list, *next; (errno = 0, strtol(at, &next, 10)) > 0; at = next)
      kill((pid_t)strtol(at, NULL, 10), SIGKILL);
    free(list);
    while (waitpid(-1, NULL, WNOHANG) > 0)
      ;
  }
  return true;
}

/* Returns how it ended (as waitpid says), or -1 at the limit of time. */
static int run(const char *const settings[3], bool *left_process) {
  const pid_t process = fork();
  if (process < 0)
    stop("fork");
  if (process == 0)
    start(settings);
  int status = 0;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const double until = now() + limit_s;
  pid_t ended = 0;
  while ((ended = waitpid(process, &status, WNOHANG)) == 0 && now() < until) {
    const struct timespec most = {.tv_nsec = 50000000};
    sigtimedwait(&child, NULL, &most);
  }
  if (ended == 0) {
    kill(-process, SIGKILL);
    waitpid(process, &status, 0);
    status = -1;
  }
  *left_process = end_orphans();
  look();
  return status;
}

/* Runs the command without a failure, and keeps what it prints and leaves. */
static void run_references(const char *const settings[3]) {
  bool left;
  for (int k = 0; k < (runs == 0 ? REFERENCES : 2); k++) {
    const int status = run(settings, &left);
    size_t length;
    char *output = read_output();
    if (status != 0 || left) {
      fprintf(stderr, "fail_each: without a failure: %s\n",
              left ? "leaves a process" : read_whole("../stderr", &length));
      exit(2);
    }
    if (k == 0) {
      expected_output = output;
      expected = found;
      found.count = 0;
      look();
    } else {
      same_lines(expected_output, output, true);
      free(output);
    }
    for (size_t i = 0; i < expected.count; i++) {
      const struct file *f = file_in(&found, expected.files[i].path);
      expected.files[i].varies |= !f || !same(f, &expected.files[i]);
    }
    restore();
  }
}

static void try(const char *name, const char *const settings[3]) {
  bool left;
  const int status = run(settings, &left);
  judge(name, status, left);
  restore();
}

static size_t lines_of(char *text, char **lines, size_t most) {
  size_t n = 0;
  for (char *line = strtok(text, "\n"); line && n < most; line = strtok(NULL, "\n"))
    lines[n++] = line;
  return n;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void try_places(void) {
  static char *places[1 << 16];
  size_t length, n, kept = 0;
  n = lines_of(read_whole("../places", &length), places, 1 << 16);
  qsort(places, n, sizeof *places, by_text);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || strncmp(places[i], places[kept - 1], 16) != 0)
      places[kept++] = places[i];
  const size_t step = runs ? (kept + runs - 1) / runs : 1;
  for (size_t i = 0; i < kept; i += step) {
    char place[64], process[64], number[64];
    unsigned long p = 0, at = 0;
    sscanf(places[i] + 16, "%lu %lu", &p, &at);
    snprintf(place, sizeof place, "FAIL_PLACE=%.16s", places[i]);
    snprintf(process, sizeof process, "FAIL_PROCESS=%lu", p);
    snprintf(number, sizeof number, "FAIL_AT=%lu", at);
    try(places[i], (const char *const[3]){place, process, number});
  }
  printf("%zu places, %zu failed", kept, (kept + step - 1) / step);
}

static void try_numbers(void) {
  static char *counts[256];
  size_t length;
  const size_t n = lines_of(read_whole("../count", &length), counts, 256);
  unsigned long total = 0, tried = 0, at = 0;
  for (size_t i = 0; i < n; i++)
    total += strtoul(counts[i], NULL, 10);
  const unsigned long step = runs && total > runs ? (total + runs - 1) / runs : 1;
  for (size_t i = 0; i < n; i++)
    for (unsigned long k = 1; k <= strtoul(counts[i], NULL, 10); k++) {
      char which[64], process[64], name[128];
      if (at++ % step != 0)
        continue;
      snprintf(which, sizeof which, "FAIL_AT=%lu", k);
      snprintf(process, sizeof process, "FAIL_PROCESS=%zu", i);
      snprintf(name, sizeof name, "%zu:%lu", i, k);
      try(name, (const char *const[3]){which, process});
      tried++;
    }
  printf("%lu allocations of %zu processes, %lu failed", total, n, tried);
}

static void read_options(int argc, char **argv) {
  static const char letters[] = "cmdsk";
  const char **const texts[] = {&allowed.cut, &allowed.different, &allowed.always_different, &allowed.skipped,
                                &allowed.known};
  for (int option; (option = getopt(argc, argv, "+pvrln:t:c:m:d:s:k:")) >= 0;) {
    const char *letter = strchr(letters, option);
    if (letter)
      *texts[letter - letters] = optarg;
    by_places |= option == 'p';
    prints_all |= option == 'v';
    allowed.has_rates |= option == 'r';
    allowed.by_c_library |= option == 'l';
    runs = option == 'n' ? strtoul(optarg, NULL, 10) : runs;
    limit_s = option == 't' ? strtod(optarg, NULL) : limit_s;
    if (option == '?')
      exit(2);
  }
  preloaded = argc - optind < 3 ? NULL : realpath(argv[optind], NULL);
  if (!preloaded)
    stop("usage: see fail_each.c, or the library to be preloaded");
  command = argv + optind + 2;
}

/* Goes to FOLDER/work, and has the command put its files there. */
static void enter(const char *folder) {
  char here[4096], path[4200];
  if (chdir(folder) || (mkdir("work", 0700) && errno != EEXIST) || chdir("work") || !getcwd(here, sizeof here))
    stop(folder);
  snprintf(path, sizeof path, "%s/tmp", here);
  setenv("TMPDIR", path, 1);
  snprintf(path, sizeof path, "%s/cache", here);
  setenv("REASSEMBLE_CACHE", path, 1);
  copy_inputs();
  look();
  inputs = found;
  found.count = 0;
  unlink("../places");
}

static void print_results(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  printf(", %lu without effect, %lu at fault, %.1f s:", good, faults, seconds);
  for (char **word = command + 1; *word; word++)
    printf(" %s", *word);
  printf("\n");
  print_kinds(prints_all);
}

int main(int argc, char **argv) {
  sigset_t child;
  read_options(argc, argv);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  enter(argv[optind + 1]);
  run_references((const char *const[3]){by_places ? "FAIL_PLACES=../places" : "FAIL_COUNT=../count"});
  if (by_places)
    try_places();
  else
    try_numbers();
  print_results();
  return faults ? 1 : 0;
}
