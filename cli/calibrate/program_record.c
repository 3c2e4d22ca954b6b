#include "cli/calibrate/program_record.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/input/json.h"
#include "base/process/subprocess.h"
#include "base/text.h"
#include "cli/core/temporary.h"
#include "cli/program/child_program.h"

/* Words of a command line. */

struct words {
  const char **items;
  size_t count;
};

static const char *const as_measured[] = {"/proc/self/exe", "run", "--quiet", "--time", "device", "--json", "--"};

/* The program, with `more` words before it. */
static int find_words(const struct program_times *t, const char *const *more, size_t more_count, struct words *out,
                      struct error *error) {
  const json_t *list = json_object_get(t->item, "command");
  out->count = more_count + json_array_size(list);
  out->items = calloc(out->count + 1, sizeof *out->items);
  if (!out->items)
    return error_no_memory(error);
  for (size_t i = 0; i < out->count; i++)
    out->items[i] = i < more_count ? more[i] : json_string_value(json_array_get(list, i - more_count));
  for (size_t i = 0; i < out->count; i++)
    if (out->count == more_count || !out->items[i]) {
      free(out->items);
      return error_set(error, ERROR_INPUT, "program %s: \"command\" is no list of words", t->name);
    }
  return 0;
}

/* Runs the words with their standard output in the file. Returns the nanoseconds by the clock in *ns. */
static int run_words(const struct words *words, const char *name, const char *output, double *ns, struct error *error) {
  struct child_program child = {0};
  const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return error_set(error, ERROR_WORK, "%s cannot be written", output);
  const int64_t start = clock_nanoseconds();
  int status = child_start(&child, words->items, words->count, file, error);
  close(file);
  if (status)
    return -1;
  child.status = subprocess_wait(child.process);
  *ns = (double)(clock_nanoseconds() - start);
  return WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0
             ? 0
             : error_set(error, ERROR_WORK, "program %s failed (status %d)", name, child.status);
}

/* One run of the program as it is. */
static int run_alone(struct program_times *t, bool counts, struct error *error) {
  struct words words;
  double ns;
  if (find_words(t, NULL, 0, &words, error))
    return -1;
  const int status = run_words(&words, t->name, "/dev/null", &ns, error);
  free(words.items);
  if (!status && counts && (t->total_ns == 0 || ns < t->total_ns))
    t->total_ns = ns;
  return status;
}

/* Parts. */

static int kind_of(const char *name) {
  int kind = 0;
  while (kind < TIME_CALLS && strcmp(name, time_kind_name(kind)) != 0)
    kind++;
  return kind;
}

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static void take_parts(struct program_times *t, const json_t *gpu) {
  const json_t *host = json_object_get(gpu, "host");
  size_t i;
  json_t *item;
  memset(t->ns, 0, sizeof t->ns);
  memset(t->awaited_ns, 0, sizeof t->awaited_ns);
  json_array_foreach(json_object_get(gpu, "kernels"), i, item) {
    t->ns[COMMAND_KERNEL] += number(item, "sum_ns");
    t->awaited_ns[COMMAND_KERNEL] += number(item, "awaited_ns");
  }
  json_array_foreach(json_object_get(gpu, "moves"), i, item) {
    const int kind = kind_of(json_string_value(json_object_get(item, "kind")));
    if (kind < TIME_CALLS) {
      t->ns[kind] += number(item, "sum_ns");
      t->awaited_ns[kind] += number(item, "awaited_ns");
    }
  }
  t->ns[TIME_CALLS] = t->awaited_ns[TIME_CALLS] = number(host, "calls_ns");
  t->ns[TIME_LATENCY] = t->awaited_ns[TIME_LATENCY] = number(host, "awaits_gpu_ns");
  t->ns[TIME_HOST] = t->awaited_ns[TIME_HOST] = number(host, "runs_ns") + number(host, "sleeps_ns");
}

static int take_report(struct program_times *t, const char *path, struct error *error) {
  json_t *root, *list;
  if (json_load_document(path, &root, error))
    return -1;
  const int status = json_need_array(root, "gpus", &list, path, error);
  const json_t *gpu = status ? NULL : json_array_get(list, 0);
  const double total = number(gpu, "total_ns");
  if (gpu && (t->simulated_ns == 0 || total < t->simulated_ns)) {
    t->simulated_ns = total;
    take_parts(t, gpu);
  }
  json_decref(root);
  return status;
}

/* One run under the virtual board, which takes its time from the device. */
static int run_measured(struct program_times *t, const char *output, bool counts, struct error *error) {
  struct words words;
  double ns;
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    return error_set(error, ERROR_WORK, "the path of this program is not known");
  self[length] = '\0';
  if (find_words(t, as_measured, sizeof as_measured / sizeof *as_measured, &words, error))
    return -1;
  words.items[0] = self;
  const int status = run_words(&words, t->name, output, &ns, error);
  free(words.items);
  return status || !counts ? status : take_report(t, output, error);
}

static int run_turn(struct program_board *board, const char *output, bool counts, struct error *error) {
  for (size_t i = 0; i < board->count; i++) {
    struct program_times *t = &board->items[i];
    if (!counts && t->total_ns > 0)
      continue; /* it has run before, and OpenCL's cache has its kernels */
    if (run_alone(t, counts, error) || run_measured(t, output, counts, error))
      return -1;
  }
  return 0;
}

int program_record(struct program_board *board, int64_t repetitions, bool quiet, struct error *error) {
  char *folder;
  if (temporary_create(&folder, error))
    return -1;
  char *output = text_format("%s/report", folder);
  int status = output ? 0 : error_no_memory(error);
  for (int64_t turn = 0; turn <= repetitions && !status; turn++) {
    if (!quiet && turn > 0)
      fprintf(stderr, "reassemble: turn %lld of %lld\n", (long long)turn, (long long)repetitions);
    status = run_turn(board, output, turn > 0, error);
  }
  free(output);
  temporary_remove(folder);
  for (size_t i = 0; i < board->count && !status; i++)
    program_times_put(&board->items[i]);
  return status;
}
