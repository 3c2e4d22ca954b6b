#include "cli/measure/measure_journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/journal.h"
#include "base/input/json_parse.h"
#include "base/text.h"

#define JOURNAL_SCHEMA "reassemble.measure-journal/1"

struct measure_journal {
  struct journal *file;
  json_t *known; /* results, by key_of */
};

static const struct journal_member members[] = {
    {"schema", "the journal's format"},
    {"version", "the program's version"},
    {"device", "the device"},
    {"driver", "the device's driver"},
    {"runs", "the repetitions that count (--runs)"},
    {"warm_up", "the repetitions before them (--warm-up)"},
    {"caches", "the state of the caches (--caches)"},
    {"checked", "whether results are checked (--no-check)"},
    {NULL, NULL},
};

static const struct journal_kind kind = {"measurements", members, "remove it, or name another one with --journal",
                                         "the same command"};

/* ---- what the device is given ---- */

static void write_arguments(const struct workload_launch *launch, FILE *out) {
  for (size_t i = 0; i < launch->argument_count; i++) {
    const struct workload_argument *a = &launch->arguments[i];
    fprintf(out, "%d %zu %zu %zu %d %u %zu %u ", a->kind, a->buffer, a->offset, a->span, a->type, a->elements, a->bytes,
            a->sampler);
    for (size_t k = 0; k < sizeof a->value && a->kind == ARGUMENT_SCALAR; k++)
      fprintf(out, "%02x", a->value[k]);
    putc('\n', out);
  }
}

static void write_launch(const struct workload_launch *launch, FILE *out) {
  fprintf(out, "%s %u\n", launch->kernel, launch->dimensions);
  for (int d = 0; d < 3; d++)
    fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu32 "\n", launch->global[d], launch->offset[d], launch->local[d]);
  write_arguments(launch, out);
}

static void write_buffer(const struct workload_buffer *b, FILE *out) {
  fprintf(out, "%d %zu %" PRIu32 " %" PRIu32 " %d %d %d %a %a %" PRIu64 "\n", b->type, b->count, b->width, b->height,
          b->format.order, b->format.type, b->init, b->low, b->high, b->seed);
  if (b->init == INIT_BYTES)
    fprintf(out, "%016" PRIx64 "\n", text_hash(TEXT_HASH_START, b->contents, b->count * scalar_type_bytes(b->type)));
}

static int write_source(const char *path, FILE *out, struct error *error) {
  uint64_t digest;
  if (file_digest(path, &digest, error) != 0)
    return -1;
  fprintf(out, "%016" PRIx64 "\n", digest);
  return 0;
}

static int write_workload(const struct workload *w, FILE *out, struct error *error) {
  fprintf(out, "%s\n", w->options ? w->options : "");
  for (size_t i = 0; i < w->buffer_count; i++)
    write_buffer(&w->buffers[i], out);
  for (size_t i = 0; i < w->launch_count; i++)
    write_launch(&w->launches[i], out);
  for (size_t i = 0; i < w->check_count; i++)
    if (write_source(w->checks[i].source, out, error) != 0)
      return -1;
  return write_source(w->source, out, error);
}

/* Returns "DIGEST NAME", which the caller frees, or NULL with an error. */
static char *key_of(const char *name, const struct workload *w, struct error *error) {
  char *text = NULL, *key = NULL;
  size_t length;
  FILE *out = text_stream_begin(&text, &length);
  const int written = out ? write_workload(w, out, error) : error_no_memory(error);
  if (out && text_stream_end(out, &text) && written == 0)
    key = text_format("%016" PRIx64 " %s", text_hash(TEXT_HASH_START, text, length), name);
  if (!key && written == 0)
    error_no_memory(error);
  free(text);
  return key;
}

/* ---- results ---- */

static json_t *launch_json(const struct measured_launch *l) {
  return json_pack("{s:s, s:s, s:i, s:i, s:[f, f, f, f], s:I, s:I}", "kernel", l->kernel, "group", l->group, "launch",
                   (int)l->launch, "launches", (int)l->launches, "ns", l->ns.minimum, l->ns.median, l->ns.maximum,
                   l->ns.spread, "runs", (json_int_t)l->ns.count, "outliers", (json_int_t)l->ns.outliers);
}

static bool read_launch(json_t *object, const char *workload, struct measured_launch *l) {
  const char *kernel, *group;
  int launch, launches;
  json_int_t runs, outliers;
  if (json_unpack(object, "{s:s, s:s, s:i, s:i, s:[F, F, F, F], s:I, s:I}", "kernel", &kernel, "group", &group,
                  "launch", &launch, "launches", &launches, "ns", &l->ns.minimum, &l->ns.median, &l->ns.maximum,
                  &l->ns.spread, "runs", &runs, "outliers", &outliers) != 0)
    return false;
  l->workload = (char *)workload;
  l->kernel = (char *)kernel;
  l->group = (char *)group;
  l->launch = (unsigned)launch;
  l->launches = (unsigned)launches;
  l->ns.count = (size_t)runs;
  l->ns.outliers = (size_t)outliers;
  return true;
}

static int take_line(void *context, const char *path, unsigned number, char *rest, struct error *error) {
  struct measure_journal *journal = context;
  json_error_t problem;
  json_t *line = json_parse(rest, strlen(rest), JSON_REJECT_DUPLICATES, &problem), *launches;
  const char *key;
  if (!line && json_problem_is_memory(&problem))
    return error_no_memory(error);
  const bool good = line && json_unpack(line, "{s:s, s:o}", "key", &key, "launches", &launches) == 0;
  const int status =
      !good ? error_at(error, ERROR_INPUT, path, number, 0, NULL, "is no result of measurements, although undamaged")
      : json_object_set(journal->known, key, launches) != 0 ? error_no_memory(error)
                                                            : 0;
  json_decref(line);
  return status;
}

static int recall(json_t *launches, const char *name, struct measurements *m, struct error *error) {
  size_t i;
  json_t *object;
  json_array_foreach(launches, i, object) {
    struct measured_launch launch;
    if (!read_launch(object, name, &launch))
      return error_set(error, ERROR_INPUT, "%.200s: its launches in the journal are no measurements", name);
    if (measurements_add(m, &launch, error) != 0)
      return -1;
  }
  return 0;
}

static int keep(struct measure_journal *journal, const char *key, const struct measured_launch *launches, size_t count,
                struct error *error) {
  json_t *list = json_array(), *line;
  bool done = list;
  for (size_t i = 0; i < count && done; i++)
    done = json_array_append_new(list, launch_json(&launches[i])) == 0;
  line = json_pack("{s:s, s:o}", "key", key, "launches", list);
  char *text = done && line ? json_text(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  const int status = text ? journal_append(journal->file, text, error)
                          : error_set(error, ERROR_WORK, "out of memory, or a name that is not UTF-8: %.200s", key);
  free(text);
  json_decref(line);
  return status;
}

/* ---- the file ---- */

int measure_journal_open(const char *path, const struct device *device, const struct measure_options *options,
                         struct measure_journal **out, struct error *error) {
  struct measure_journal *journal = calloc(1, sizeof *journal);
  *out = NULL;
  json_t *head =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:b}", "schema", JOURNAL_SCHEMA, "version", REASSEMBLE_VERSION,
                "device", device->name, "driver", device->driver, "runs", (int)options->runs, "warm_up",
                (int)options->warm_up, "caches", measure_caches_name(options->caches), "checked", options->check);
  int status = journal && head && (journal->known = json_object()) ? 0 : error_no_memory(error);
  if (status == 0)
    status = journal_open(path, &kind, head, true, take_line, journal, &journal->file, error);
  json_decref(head);
  if (status != 0)
    measure_journal_close(journal);
  else
    *out = journal;
  return status;
}

void measure_journal_close(struct measure_journal *journal) {
  if (!journal)
    return;
  journal_close(journal->file);
  json_decref(journal->known);
  free(journal);
}

int measure_or_recall(struct measure_journal *journal, struct session *session, const char *name,
                      const struct workload *workload, const struct measure_options *options, struct measurements *m,
                      struct error *error) {
  const size_t from = m->count;
  if (!journal)
    return measure_workload(session, name, workload, options, m, error);
  char *key = key_of(name, workload, error);
  json_t *known = key ? json_object_get(journal->known, key) : NULL;
  int status = key ? 0 : -1;
  if (known)
    status = recall(known, name, m, error);
  else if (key)
    status = measure_workload(session, name, workload, options, m, error);
  if (status == 0 && !known && m->count > from)
    status = keep(journal, key, m->launches + from, m->count - from, error);
  free(key);
  return status;
}
