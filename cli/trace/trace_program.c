#include "cli/trace/trace_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/core/command.h"
#include "cli/program/child_program.h"
#include "cli/trace/launch_table.h"
#include "cli/trace/program_manifest.h"
#include "cli/trace/program_source.h"
#include "cli/trace/program_start.h"
#include "cli/trace/retry_program.h"
#include "cli/trace/trace_folder.h"
#include "cli/core/table.h"
#include "cli/core/temporary.h"
#include "tracegen/program/capture/capture.h"
#include "tracegen/program/capture/capture_harmless.h"

#define WATCH_S        1.0     /* between manifests while the program runs; reading the log takes time from it */
#define MANIFEST_S     0.1     /* between manifests while launches are emulated */
#define MANIFEST_SHARE 30.0    /* times what writing took */
#define WATCH_NS       2000000 /* between looks at the program */

struct program_trace {
  const struct trace_program *request;
  const struct options *options;
  char *name;   /* of the traces: the program's file name */
  char *folder; /* of the capture */
  struct program program;
  struct capture capture;
  bool *handled; /* by launch of the capture */
  size_t handled_count, first_open;
  struct progress progress;   /* over launches, after the program has ended */
  json_t *kernels;            /* that were emulated, by program, options and name */
  size_t next_new;            /* launches before this one are of these kernels, or not traced */
  json_t *saved;              /* numbers of programs whose source is beside the traces */
  struct trace_folder traces; /* what it held before */
  struct table *table;
  size_t traced, failed, different;
  struct retry_counts retried; /* of those that are different */
  double next_manifest_s;      /* when an unfinished manifest is due, by clock_seconds */
  struct error first_failure;  /* of an emulation */
  char first_difference[640];
};

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

static const char *text_of(const json_t *launch, const char *key) {
  const char *text = json_string_value(json_object_get(launch, key));
  return text ? text : "";
}

static void note_outside_loads(const struct program_trace *t, json_t *launch, const struct emulate_launch *l) {
  if (l->outside.count == 0)
    return;
  json_object_set_new(launch, "outside_loads", json_integer((json_int_t)l->outside.count));
  json_object_set_new(launch, "first_outside_load", command_json_text(l->outside.first));
  if (!t->options->quiet)
    launch_table_tell_outside(text_of(launch, "trace"), l);
}

static void note_outcome(struct program_trace *t, json_t *launch, const struct capture_outcome *outcome) {
  static const char *const words[] = {"not compared", "equal", "close", "differs", "repeated"};
  const struct emulate_launch *l = &outcome->emulated.launches[0];
  const char *slash = strrchr(l->trace_path, '/');
  trace_folder_made(&t->traces, l->trace_path);
  json_object_set_new(launch, "trace", command_json_text(slash ? slash + 1 : l->trace_path));
  json_object_set_new(launch, "work_item_instructions", json_integer((json_int_t)l->work_item_instructions));
  json_object_set_new(launch, "trace_bytes", json_integer((json_int_t)l->trace_bytes));
  json_object_set_new(launch, "result", json_string(words[outcome->agreement]));
  if (outcome->agreement == CAPTURE_REPEATED)
    json_object_set(launch, "repeats", json_object_get(json_array_get(t->capture.launches, outcome->repeats), "index"));
  add_row(t, launch, outcome, words[outcome->agreement]);
  note_outside_loads(t, launch, l);
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

static void note_failure(struct program_trace *t, json_t *launch, struct error *failure) {
  if (failure->file[0] && failure->line)
    snprintf(failure->file, sizeof failure->file, "%.100s.program-%lld.cl", t->name, (long long)program_of(launch));
  else
    failure->file[0] = '\0';
  program_source_rename(t->folder, t->name, failure->text, sizeof failure->text);
  json_object_set_new(launch, "failed", command_json_text(failure->text));
  json_object_set_new(launch, "line", json_integer((json_int_t)failure->line));
  if (t->failed++ == 0)
    t->first_failure = *failure;
}

static int save_source(struct program_trace *t, const json_t *launch, struct error *error) {
  return program_source_save(t->saved, t->folder, t->request->folder, t->name, program_of(launch), error);
}

#define RELAXED_ULPS 8192 /* what the OpenCL C specification, table of errors, allows functions half_* */

/* Returns how far floats of the launch may be from OpenCL's, in representable numbers. */
static double ulps_of(const struct program_trace *t, json_t *launch) {
  static const char *const relaxed[] = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-cl-mad-enable"};
  if (t->request->ulps >= 0)
    return t->request->ulps;
  for (size_t i = 0; i < sizeof relaxed / sizeof relaxed[0]; i++)
    if (strstr(text_of(launch, "options"), relaxed[i])) {
      json_object_set_new(launch, "ulps", json_integer(RELAXED_ULPS));
      return RELAXED_ULPS;
    }
  return EXACT_ULPS;
}

static bool is_known_kernel(const struct program_trace *t, const json_t *launch, bool add) {
  char *key =
      text_format("%lld %s %s", (long long)program_of(launch), text_of(launch, "options"), text_of(launch, "kernel"));
  const bool known = !key || json_object_get(t->kernels, key);
  if (key && add)
    json_object_set_new(t->kernels, key, json_true());
  free(key);
  return known;
}

/* Returns whether a kernel that was not emulated yet is to come, so that a translator may be started for it. */
static bool another_kernel_follows(struct program_trace *t, const json_t *launch) {
  is_known_kernel(t, launch, true);
  for (; t->next_new < json_array_size(t->capture.launches); t->next_new++) {
    const json_t *next = json_array_get(t->capture.launches, t->next_new);
    if (!json_object_get(next, "skipped") && !is_known_kernel(t, next, false))
      return true;
  }
  return false;
}

static void tell_harmless(const struct program_trace *t, json_t *launch, struct error *failure) {
  program_source_rename(t->folder, t->name, failure->text, sizeof failure->text);
  json_object_set_new(launch, "undefined_read", command_json_text(failure->text));
  json_object_set_new(launch, "line", json_integer((json_int_t)failure->line));
  if (!t->options->quiet)
    fprintf(stderr,
            "reassemble: warning: launch %lld, %.100s.program-%lld.cl:%u: %s. The launch is traced all the same: with "
            "two values of such bytes it has one trace and OpenCL's results\n",
            (long long)json_integer_value(json_object_get(launch, "index")), t->name, (long long)program_of(launch),
            failure->line, failure->text);
}

static int emulate_one(struct program_trace *t, size_t i, struct error *error) {
  const struct trace_program *r = t->request;
  json_t *launch = json_array_get(t->capture.launches, i);
  const struct emulate_options options = {.front_end = r->front_end,
                                          .trace_directory = r->folder,
                                          .timeout_s = t->options->timeout_s,
                                          .memory_bytes = (size_t)t->options->memory_bytes,
                                          .max_instructions = (uint64_t)t->options->max_instructions,
                                          .check = !r->no_check,
                                          .undefined_reads = r->undefined_reads,
                                          .out_of_bounds = r->out_of_bounds,
                                          .quiet = t->options->quiet || !t->program.child.ended,
                                          .more_follow = another_kernel_follows(t, launch),
                                          .jobs = t->options->emulation_jobs,
                                          .no_print = true};
  struct capture_outcome outcome;
  struct error failure = ERROR_INIT;
  char *name = text_format("%s.%lld", t->name, (long long)json_integer_value(json_object_get(launch, "index")));
  if (!name)
    return error_no_memory(error);
  const double ulps = ulps_of(t, launch);
  if (capture_emulate(&t->capture, i, name, &options, ulps, &outcome, &failure)) {
    if (capture_emulate_harmless(&t->capture, i, name, &options, ulps, &failure, &outcome)) {
      tell_harmless(t, launch, &failure);
      note_outcome(t, launch, &outcome);
      capture_outcome_clear(&outcome);
    } else
      note_failure(t, launch, &failure);
  } else {
    note_outcome(t, launch, &outcome);
    if (outcome.agreement == CAPTURE_DIFFERS && !r->opencl_options)
      retry_without_our_optimiser(&t->capture, i, launch, &options, ulps);
    capture_outcome_clear(&outcome);
  }
  free(name);
  return 0;
}

/* Writes a manifest; the next one is due after `pause_s` at the earliest. */
static int write_unfinished(struct program_trace *t, double pause_s, struct error *error) {
  const double now = clock_seconds();
  const int status = manifest_write(&t->program, &t->capture, false, t->request->folder, t->name, error);
  const double took = clock_seconds() - now;
  t->next_manifest_s = now + took + fmax(pause_s, MANIFEST_SHARE * took);
  return status;
}

/* Writes what is known so far, some times a second, for the case that this program is ended early. A manifest of many
 * launches, which takes long to write, is written less often. */
static int keep_manifest(struct program_trace *t, struct error *error) {
  return clock_seconds() < t->next_manifest_s ? 0 : write_unfinished(t, MANIFEST_S, error);
}

static int handle(struct program_trace *t, size_t i, struct error *error) {
  json_t *launch = json_array_get(t->capture.launches, i);
  t->handled[i] = true;
  if (!json_object_get(launch, "skipped") && (save_source(t, launch, error) || emulate_one(t, i, error)))
    return -1;
  capture_done(&t->capture, launch);
  return keep_manifest(t, error);
}

static int make_room_for_flags(struct program_trace *t, struct error *error) {
  const size_t count = json_array_size(t->capture.launches);
  while (t->handled_count < count) {
    if (!array_room_for_one(&t->handled, t->handled_count, sizeof *t->handled))
      return error_no_memory(error);
    t->handled[t->handled_count++] = false;
  }
  return 0;
}

/* The next launch that nothing more will be heard of. *found: there was one. */
static int handle_next(struct program_trace *t, bool *found, struct error *error) {
  *found = false;
  if (make_room_for_flags(t, error))
    return -1;
  for (size_t i = t->first_open; i < t->handled_count; i++) {
    if (t->handled[i] && i == t->first_open)
      t->first_open++;
    if (t->handled[i] || !(t->program.child.ended || capture_is_complete(json_array_get(t->capture.launches, i))))
      continue;
    *found = true;
    return handle(t, i, error);
  }
  return 0;
}

/* Takes what the log has by now and writes it to the manifest, for the case that this program is ended early. */
static int keep_log(struct program_trace *t, struct error *error) {
  bool any;
  if (clock_seconds() < t->next_manifest_s)
    return 0;
  t->next_manifest_s = clock_seconds() + WATCH_S;
  if (capture_advance(&t->capture, &any, error))
    return -1;
  return json_array_size(t->capture.launches) > 0 ? write_unfinished(t, WATCH_S, error) : 0;
}

/* While the program runs, launches are emulated only where one waits for it, because there is no room for its buffers
 * or because it may repeat one of them: the program's times are its own. */
static int watch(struct program_trace *t, struct error *error) {
  static const struct timespec pause = {.tv_nsec = WATCH_NS};
  const double start = clock_seconds(), stop_s = t->request->stop_after_s;
  bool any, found;
  t->next_manifest_s = start + WATCH_S;
  while (!child_has_ended(&t->program.child)) {
    if (stop_s > 0 && clock_seconds() - start >= stop_s) {
      child_end(&t->program.child);
      t->program.stopped_after_s = stop_s;
      return 0;
    }
    if (!capture_is_waiting(&t->capture)) {
      if (keep_log(t, error))
        return -1;
      nanosleep(&pause, NULL);
      continue;
    }
    if (capture_advance(&t->capture, &any, error) || handle_next(t, &found, error))
      return -1;
    if (!found)
      nanosleep(&pause, NULL);
  }
  return 0;
}

static int finish(struct program_trace *t, struct error *error) {
  bool any, found = true;
  if (capture_advance(&t->capture, &any, error) || capture_end(&t->capture, error))
    return -1;
  if (!any && program_judge(&t->program, 0, error))
    return -1;
  if (!any)
    return error_set(error, ERROR_WORK,
                     "%.200s made no OpenCL call that the layer saw. The OpenCL loader has to support layers "
                     "(ocl-icd 2.3 or newer), the program must use it, and the layer needs memory in it",
                     t->options->arguments[0]);
  t->next_manifest_s = 0;
  progress_start(&t->progress, "emulating", "launches", json_array_size(t->capture.launches) - t->capture.done,
                 t->options->quiet);
  int status = 0;
  while (found && !status) {
    status = handle_next(t, &found, error);
    progress_add(&t->progress, found);
  }
  progress_end(&t->progress);
  return status;
}

/* Results. */

static size_t count_skipped(const struct program_trace *t) {
  size_t i, count = 0;
  json_t *launch;
  json_array_foreach(t->capture.launches, i, launch) count += json_object_get(launch, "skipped") != NULL;
  return count;
}

static const json_t *first_skipped(const struct program_trace *t) {
  size_t i = 0;
  while (i < json_array_size(t->capture.launches) &&
         !json_object_get(json_array_get(t->capture.launches, i), "skipped"))
    i++;
  return json_array_get(t->capture.launches, i);
}

static int print(const struct program_trace *t, struct error *error) {
  if (t->options->json)
    return command_print_json(manifest_describe(&t->program, &t->capture), error);
  const size_t skipped = count_skipped(t);
  if (skipped && t->traced && !t->options->quiet)
    fprintf(stderr,
            "reassemble: %zu of %zu launches were skipped, the first (%s): %s; %s.manifest.json has all reasons\n",
            skipped, json_array_size(t->capture.launches), text_of(first_skipped(t), "kernel"),
            text_of(first_skipped(t), "skipped"), t->name);
  return table_print(t->table, stdout, error);
}

/* A mistake in a kernel may be why the program came to a bad end. */
static int report_failure(const struct program_trace *t, struct error *error) {
  struct error end = ERROR_INIT;
  *error = t->first_failure;
  error->kind = ERROR_WORK; /* whatever it is, it is not a mistake in our own input */
  const size_t used = strlen(error->text);
  if (program_judge(&t->program, t->traced, &end))
    snprintf(error->text + used, sizeof error->text - used, "; %s", end.text);
  return -1;
}

static int judge(const struct program_trace *t, struct error *error) {
  if (t->failed)
    return report_failure(t, error);
  if (t->program.stopped_after_s <= 0 && program_judge(&t->program, t->traced, error))
    return -1;
  if (capture_lost(&t->capture))
    return error_set(
        error, ERROR_WORK,
        "launches are missing: the layer could not write all of their lines to the capture (lost: %u), and said "
        "why above. The program must be able to open files in %.200s ($TMPDIR chooses another place)",
        capture_lost(&t->capture), t->folder);
  char retried[1024];
  retry_describe(&t->retried, retried, sizeof retried);
  if (t->different)
    return error_set(error, ERROR_WORK,
                     "%zu of %zu launches computed something else than OpenCL did: %s%s. A kernel whose work-items "
                     "race may differ, and one with relaxed arithmetic (docs/capture.md); --ulps allows floats more, "
                     "--no-check compares nothing",
                     t->different, t->traced, t->first_difference, retried);
  if (json_array_size(t->capture.launches) == 0)
    return error_set(error, ERROR_WORK, "%.200s launched no kernel", t->options->arguments[0]);
  if (t->traced == 0)
    return error_set(error, ERROR_WORK,
                     "no launch was traced: all %zu were skipped, the first (%.200s): %.200s; %.200s.manifest.json has "
                     "all reasons",
                     count_skipped(t), text_of(first_skipped(t), "kernel"), text_of(first_skipped(t), "skipped"),
                     t->name);
  return 0;
}

/* A user who has chosen OpenCL's options leaves nothing to find out. */
static int retry(struct program_trace *t, struct error *error) {
  return t->different && !t->request->opencl_options
             ? retry_program(t->request, t->options, t->capture.launches, &t->retried, error)
             : 0;
}

static int trace_launches(struct program_trace *t, struct error *error) {
  if (capture_open(t->folder, &t->capture, error))
    return -1;
  if (!t->request->every_launch)
    capture_share_traces(&t->capture);
  if (program_start(&t->program, t->request, t->folder, error))
    return -1;
  if (watch(t, error)) {
    child_stop(&t->program.child);
    return -1;
  }
  if (finish(t, error) || retry(t, error) ||
      manifest_write(&t->program, &t->capture, true, t->request->folder, t->name, error))
    return -1;
  return print(t, error) || judge(t, error) ? -1 : 0;
}

int trace_program_run(const struct trace_program *request, const struct options *options, struct error *error) {
  struct program_trace t = {.request = request,
                            .options = options,
                            .name = child_program_name(options->arguments[0]),
                            .program = {.options = options, .front_end = request->front_end},
                            .saved = json_object(),
                            .kernels = json_object()};
  if (!t.name || !t.saved || !t.kernels)
    return error_no_memory(error);
  if (!options->json)
    t.table = table_create(
        (struct table_column[]){
            {"trace", false}, {"kernel", false}, {"instructions", true}, {"bytes", true}, {"OpenCL", false}},
        5);
  trace_folder_look(&t.traces, request->folder);
  int status = temporary_create(&t.folder, error);
  if (!status) {
    status = trace_launches(&t, error);
    if (!options->quiet)
      trace_folder_tell(&t.traces);
    temporary_remove(t.folder);
  }
  trace_folder_clear(&t.traces);
  capture_close(&t.capture);
  json_decref(t.saved);
  json_decref(t.kernels);
  free(t.handled);
  if (t.table)
    table_destroy(t.table);
  free(t.name);
  return status;
}
