#include "cli/trace_program.h"

#include <ctype.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/temporary.h"
#include "tracegen/capture.h"

#define MAX_SOURCE_BYTES ((size_t)64 << 20)

extern char **environ;

struct program_trace {
  const struct trace_program *request;
  const struct options *options;
  char *name;   /* of the traces: the program's file name */
  char *folder; /* of the capture */
  int status;   /* of the program, from waitpid */
  struct capture capture;
  struct table *table;
  size_t traced, failed, different;
  struct error first_failure; /* of an emulation */
  char first_difference[640];
};

/* Running the program. */

static const char *layer_path(void) {
  const char *chosen = getenv("REASSEMBLE_LAYER");
  if (chosen && *chosen)
    return chosen;
  return access(REASSEMBLE_LAYER_INSTALLED, R_OK) == 0 ? REASSEMBLE_LAYER_INSTALLED : REASSEMBLE_LAYER_BUILT;
}

static int set_layer(struct error *error) {
  const char *layer = layer_path(), *others = getenv("OPENCL_LAYERS");
  if (access(layer, R_OK) || strchr(layer, ':'))
    return error_set(error, ERROR_WORK,
                     "the OpenCL layer is not there (%s). It is built where CL/cl_layer.h is found (Debian: "
                     "apt-get install opencl-headers), and its path may hold no colon",
                     layer);
  char *list = others && *others ? text_format("%s:%s", layer, others) : strdup(layer);
  const int status = list ? setenv("OPENCL_LAYERS", list, 1) : -1;
  free(list);
  return status ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

static int set_number(const char *name, uint64_t value, struct error *error) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return setenv(name, text, 1) ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

/* "3..7", "3" and "3..". */
static int read_launches(const char *text, uint64_t *first, uint64_t *last, struct error *error) {
  char *end = NULL;
  *first = 0;
  *last = UINT64_MAX;
  if (!text)
    return 0;
  if (isdigit((unsigned char)text[0])) {
    *first = *last = strtoull(text, &end, 10);
    if (strcmp(end, "..") == 0) {
      *last = UINT64_MAX;
      return 0;
    }
    if (strncmp(end, "..", 2) == 0 && isdigit((unsigned char)end[2]))
      *last = strtoull(end + 2, &end, 10);
    if (*end == '\0' && *first <= *last)
      return 0;
  }
  return error_set(error, ERROR_INPUT,
                   "--launch: found \"%.60s\", expected a number or a range, counted from 0: 3, "
                   "3..7 or 3..",
                   text);
}

static int set_environment(const struct program_trace *t, struct error *error) {
  const struct trace_program *r = t->request;
  uint64_t first, last;
  if (read_launches(r->launches, &first, &last, error) || set_layer(error) ||
      set_number("REASSEMBLE_CAPTURE_FIRST", first, error) || set_number("REASSEMBLE_CAPTURE_LAST", last, error) ||
      set_number("REASSEMBLE_CAPTURE_MOST", (uint64_t)r->most, error) ||
      set_number("REASSEMBLE_CAPTURE_BYTES", (uint64_t)r->space_bytes, error) ||
      set_number("REASSEMBLE_CAPTURE_AFTER", r->no_check ? 0 : 1, error))
    return -1;
  return setenv("REASSEMBLE_CAPTURE", t->folder, 1) ||
                 setenv("REASSEMBLE_CAPTURE_KERNEL", r->kernel ? r->kernel : "", 1)
             ? error_set(error, ERROR_WORK, "out of memory")
             : 0;
}

/* What the emulator starts later has no use for it. */
static void unset_environment(void) {
  unsetenv("OPENCL_LAYERS");
  unsetenv("REASSEMBLE_CAPTURE");
}

static int spawn(const struct options *options, pid_t *child, struct error *error) {
  char **words = calloc(options->argument_count + 1, sizeof *words);
  posix_spawn_file_actions_t actions;
  if (!words)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < options->argument_count; i++)
    words[i] = (char *)options->arguments[i];
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO); /* stdout is for the result */
  fflush(NULL);
  const int reason = posix_spawnp(child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (reason)
    error_at(error, ERROR_INPUT, words[0], 0, 0, NULL, "cannot start the program: %s", strerror(reason));
  free(words);
  return reason ? -1 : 0;
}

static int judge_program(const struct program_trace *t, struct error *error) {
  if (WIFSIGNALED(t->status))
    return error_set(error, ERROR_WORK,
                     "%.200s was ended by signal %d (%s); the traces of the %zu launches before are complete",
                     t->options->arguments[0], WTERMSIG(t->status), strsignal(WTERMSIG(t->status)), t->traced);
  if (WEXITSTATUS(t->status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d; the traces of its %zu launches are complete",
                     t->options->arguments[0], WEXITSTATUS(t->status), t->traced);
  return 0;
}

static int run_program(struct program_trace *t, struct error *error) {
  pid_t child;
  const int status = set_environment(t, error) || spawn(t->options, &child, error) ? -1 : 0;
  unset_environment();
  if (status)
    return -1;
  while (waitpid(child, &t->status, 0) < 0)
    continue;
  char *log = text_format("%s/log", t->folder);
  const bool logged = log && access(log, R_OK) == 0;
  free(log);
  if (!logged && judge_program(t, error))
    return -1;
  if (!logged)
    return error_set(error, ERROR_WORK,
                     "%.200s made no OpenCL call that the layer saw. The OpenCL loader has to support layers "
                     "(ocl-icd 2.3 or newer), and the program must use it",
                     t->options->arguments[0]);
  return capture_read(t->folder, &t->capture, error);
}

/* Emulation of what it launched. */

static void add_row(struct program_trace *t, const json_t *launch, const struct capture_outcome *outcome,
                    const char *agreement) {
  const struct emulate_launch *l = &outcome->emulated.launches[0];
  if (!t->table)
    return;
  table_add(t->table, "%s", l->trace_path);
  table_add(t->table, "%s", json_string_value(json_object_get(launch, "kernel")));
  table_add(t->table, "%llu", (unsigned long long)l->work_item_instructions);
  table_add(t->table, "%llu", (unsigned long long)l->trace_bytes);
  table_add(t->table, "%s", agreement);
}

static void note_outcome(struct program_trace *t, json_t *launch, const struct capture_outcome *outcome) {
  static const char *const words[] = {"not compared", "equal", "close", "differs"};
  const struct emulate_launch *l = &outcome->emulated.launches[0];
  const char *slash = strrchr(l->trace_path, '/');
  json_object_set_new(launch, "trace", command_json_text(slash ? slash + 1 : l->trace_path));
  json_object_set_new(launch, "work_item_instructions", json_integer((json_int_t)l->work_item_instructions));
  json_object_set_new(launch, "trace_bytes", json_integer((json_int_t)l->trace_bytes));
  json_object_set_new(launch, "result", json_string(words[outcome->agreement]));
  add_row(t, launch, outcome, words[outcome->agreement]);
  t->traced++;
  if (outcome->agreement != CAPTURE_DIFFERS)
    return;
  json_object_set_new(launch, "difference", json_string(outcome->difference));
  if (t->different++ == 0)
    snprintf(t->first_difference, sizeof t->first_difference, "launch %lld (%s): %s",
             (long long)json_integer_value(json_object_get(launch, "index")), l->kernel, outcome->difference);
}

static json_int_t program_of(const json_t *launch) {
  return json_integer_value(json_object_get(launch, "program"));
}

/* The capture goes away; what messages name is the copy of the source beside the traces. */
static void note_failure(struct program_trace *t, json_t *launch, struct error *failure) {
  if (failure->file[0] && failure->line)
    snprintf(failure->file, sizeof failure->file, "%.100s.program-%lld.cl", t->name, (long long)program_of(launch));
  else
    failure->file[0] = '\0';
  json_object_set_new(launch, "failed", command_json_text(failure->text));
  json_object_set_new(launch, "line", json_integer((json_int_t)failure->line));
  if (t->failed++ == 0)
    t->first_failure = *failure;
}

static int save_source(const struct program_trace *t, const json_t *launch, struct error *error) {
  char *from = text_format("%s/program-%lld.cl", t->folder, (long long)program_of(launch)), *text = NULL;
  char *to = text_format("%s/%s.program-%lld.cl", t->request->folder, t->name, (long long)program_of(launch));
  size_t length;
  struct file_replace file;
  int status =
      !from || !to ? error_set(error, ERROR_WORK, "out of memory") : file_make_directories(t->request->folder, error);
  if (!status)
    status = file_read(from, MAX_SOURCE_BYTES, &text, &length, error);
  if (!status)
    status = file_replace_begin(&file, to, error);
  if (!status) {
    fwrite(text, 1, length, file.stream);
    status = file_replace_commit(&file, error);
  }
  free(text);
  free(from);
  free(to);
  return status;
}

/* Once for each program that a captured launch is of. */
static int save_sources(const struct program_trace *t, struct error *error) {
  size_t i;
  int status = 0;
  json_t *launch, *saved = json_object();
  json_array_foreach(t->capture.launches, i, launch) {
    char key[32];
    snprintf(key, sizeof key, "%lld", (long long)program_of(launch));
    if (status || json_object_get(launch, "skipped") || json_object_get(saved, key))
      continue;
    json_object_set_new(saved, key, json_true());
    status = save_source(t, launch, error);
  }
  json_decref(saved);
  return status;
}

static int emulate_one(struct program_trace *t, size_t i, struct error *error) {
  const struct trace_program *r = t->request;
  json_t *launch = json_array_get(t->capture.launches, i);
  if (json_object_get(launch, "skipped"))
    return 0;
  const struct emulate_options options = {.trace_directory = r->folder,
                                          .timeout_s = r->timeout_s,
                                          .memory_bytes = (size_t)r->memory_bytes,
                                          .check = !r->no_check,
                                          .quiet = t->options->quiet,
                                          .no_print = true};
  struct capture_outcome outcome;
  struct error failure = ERROR_INIT;
  char *name = text_format("%s.%lld", t->name, (long long)json_integer_value(json_object_get(launch, "index")));
  if (!name)
    return error_set(error, ERROR_WORK, "out of memory");
  if (capture_emulate(&t->capture, i, name, &options, r->ulps, &outcome, &failure))
    note_failure(t, launch, &failure);
  else {
    note_outcome(t, launch, &outcome);
    capture_outcome_clear(&outcome);
  }
  free(name);
  return 0;
}

/* Results. */

static json_t *describe_program(const struct program_trace *t) {
  json_t *words = json_array();
  for (size_t i = 0; i < t->options->argument_count; i++)
    json_array_append_new(words, command_json_text(t->options->arguments[i]));
  json_t *program = json_pack("{s:o}", "arguments", words);
  if (WIFSIGNALED(t->status))
    json_object_set_new(program, "signal", json_string(strsignal(WTERMSIG(t->status))));
  else
    json_object_set_new(program, "exit", json_integer(WEXITSTATUS(t->status)));
  return program;
}

static json_t *describe(const struct program_trace *t) {
  return json_pack("{s:s, s:s, s:o, s:O, s:O, s:O}", "schema", "reassemble.manifest/1", "front_end",
                   emulate_front_end(), "program", describe_program(t), "launches", t->capture.launches, "buffers",
                   t->capture.memories, "refused", t->capture.refused);
}

static int write_manifest(const struct program_trace *t, struct error *error) {
  struct file_replace file;
  char *path = text_format("%s/%s.manifest.json", t->request->folder, t->name);
  json_t *document = describe(t);
  if (!path || !document)
    error_set(error, ERROR_WORK, "out of memory");
  int status = path && document && !file_make_directories(t->request->folder, error) ? 0 : -1;
  if (!status)
    status = file_replace_begin(&file, path, error);
  if (!status) {
    json_dumpf(document, file.stream, JSON_INDENT(2));
    putc('\n', file.stream);
    status = file_replace_commit(&file, error);
  }
  json_decref(document);
  free(path);
  return status;
}

static size_t count_skipped(const struct program_trace *t) {
  size_t i, count = 0;
  json_t *launch;
  json_array_foreach(t->capture.launches, i, launch) count += json_object_get(launch, "skipped") != NULL;
  return count;
}

static int print(const struct program_trace *t, struct error *error) {
  if (t->options->json)
    return command_print_json(describe(t), error);
  const size_t skipped = count_skipped(t);
  if (skipped && !t->options->quiet)
    fprintf(stderr, "reassemble: %zu of %zu launches were skipped; %s.manifest.json says why\n", skipped,
            json_array_size(t->capture.launches), t->name);
  return table_print(t->table, stdout, error);
}

static int judge(const struct program_trace *t, struct error *error) {
  if (judge_program(t, error))
    return -1;
  if (t->failed) {
    *error = t->first_failure;
    return -1;
  }
  if (t->different)
    return error_set(error, ERROR_WORK,
                     "%zu of %zu launches computed something else than OpenCL did: %s. A kernel whose work-items race "
                     "may do so; --ulps allows floats more, --no-check compares nothing",
                     t->different, t->traced, t->first_difference);
  if (json_array_size(t->capture.launches) == 0)
    return error_set(error, ERROR_WORK, "%.200s launched no kernel", t->options->arguments[0]);
  return 0;
}

static int trace_launches(struct program_trace *t, struct error *error) {
  if (save_sources(t, error))
    return -1;
  for (size_t i = 0; i < json_array_size(t->capture.launches); i++)
    if (emulate_one(t, i, error))
      return -1;
  return write_manifest(t, error) || print(t, error) || judge(t, error) ? -1 : 0;
}

/* The program's file name, in letters that names of workloads may have. */
static char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = strdup(slash ? slash + 1 : path);
  for (char *c = name; c && *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.+", *c))
      *c = '_';
  return name;
}

int trace_program_run(const struct trace_program *request, const struct options *options, struct error *error) {
  struct program_trace t = {.request = request, .options = options, .name = name_of(options->arguments[0])};
  if (!t.name)
    return error_set(error, ERROR_WORK, "out of memory");
  if (!options->json)
    t.table = table_create(
        (struct table_column[]){
            {"trace", false}, {"kernel", false}, {"instructions", true}, {"bytes", true}, {"OpenCL", false}},
        5);
  int status = temporary_create(&t.folder, error);
  if (!status) {
    status = run_program(&t, error) || trace_launches(&t, error) ? -1 : 0;
    temporary_remove(t.folder);
  }
  capture_clear(&t.capture);
  if (t.table)
    table_destroy(t.table);
  free(t.name);
  return status;
}
