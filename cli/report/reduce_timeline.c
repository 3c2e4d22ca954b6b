/* Timelines: of 200,000 spans a page shows how busy the engines of each core were (cli/simulate/timeline.h), or the
 * host and the queues of a program (cli/run/run_timeline.h). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/report/reduce.h"

enum { BINS = 240, MOST_KINDS = 8, MOST_CORES = 4096, MOST_ENGINES = 4096 };
static const double last_time = 1e15; /* a span that ends later is not taken */

/* The key of a timeline's rows: of a launch, the cores with their engines; of a program, the host and the queues. */
struct form {
  const char *row, *named_by, *unit;
  bool of_cores;
};
static const struct form form_of_launch = {"pid", "process_name", "cycles", true};
static const struct form form_of_program = {"tid", "thread_name", "µs", false};

struct core {
  const char *name;
  unsigned engines;
  double (*busy)[BINS]; /* time by kind */
};

struct summary {
  const struct form *form;
  const char *kinds[MOST_KINDS];
  size_t kind_count;
  struct core *cores;
  size_t core_count;
  double end, bin_width; /* in the form's unit */
};

static const char *text_of(json_t *event, const char *key) {
  const char *text = json_string_value(json_object_get(event, key));
  return text ? text : "";
}

static double number_of(json_t *event, const char *key) {
  return json_number_value(json_object_get(event, key));
}

static double engine_of(const struct form *form, json_t *event) {
  return form->of_cores ? number_of(event, "tid") : 0;
}

static bool is_busy_span(const struct form *form, json_t *event) {
  const double begin = number_of(event, "ts"), time = number_of(event, "dur"), engine = engine_of(form, event);
  return strcmp(text_of(event, "ph"), "X") == 0 && (!form->of_cores || strcmp(text_of(event, "cat"), "busy") == 0) &&
         begin >= 0 && time >= 0 && begin + time <= last_time && engine >= 0 && engine < MOST_ENGINES;
}

/* Returns the kind of work of a span. A queue's spans are named by kernel, so they are "kernel" or "other command". */
static const char *name_of_kind(json_t *event) {
  const char *command = text_of(json_object_get(event, "args"), "kind");
  if (command[0] == '\0')
    return text_of(event, "name");
  return strcmp(command, "kernel") == 0 ? "kernel" : "other command";
}

static struct core *core_of(struct summary *summary, json_t *event, struct error *error) {
  const json_int_t id = json_integer_value(json_object_get(event, summary->form->row));
  if (id < 0 || id >= MOST_CORES) {
    error_set(error, ERROR_INPUT, "the timeline has more than %d rows", MOST_CORES);
    return NULL;
  }
  while (summary->core_count <= (size_t)id) {
    if (!array_room_for_one(&summary->cores, summary->core_count, sizeof *summary->cores)) {
      error_no_memory(error);
      return NULL;
    }
    summary->cores[summary->core_count++] = (struct core){.name = "core"};
  }
  return &summary->cores[id];
}

/* Returns the index of the kind of work; the last one also takes what there is no more room for. */
static size_t kind_of(struct summary *summary, const char *name) {
  size_t kind = 0;
  while (kind < summary->kind_count && strcmp(summary->kinds[kind], name) != 0)
    kind++;
  if (kind == summary->kind_count && kind < MOST_KINDS)
    summary->kinds[summary->kind_count++] = name;
  return kind < MOST_KINDS ? kind : MOST_KINDS - 1;
}

/* Takes the names and the number of engines of each core, and the end of the last span. */
static int survey(json_t *events, struct summary *summary, struct error *error) {
  json_t *event;
  size_t i;
  json_array_foreach(events, i, event) {
    const bool named = strcmp(text_of(event, "name"), summary->form->named_by) == 0;
    if (!named && !is_busy_span(summary->form, event))
      continue;
    struct core *core = core_of(summary, event, error);
    if (!core)
      return -1;
    if (named) {
      core->name = text_of(json_object_get(event, "args"), "name");
      continue;
    }
    const unsigned engine = (unsigned)engine_of(summary->form, event);
    if (engine + 1 > core->engines)
      core->engines = engine + 1;
    summary->end = fmax(summary->end, number_of(event, "ts") + number_of(event, "dur"));
  }
  summary->bin_width = summary->end / BINS;
  return summary->bin_width > 0 ? 0 : error_set(error, ERROR_INPUT, "the timeline has no spans");
}

/* Adds the time of a span to the bins that it lies in. */
static void add_span(const struct summary *summary, double *bins, double begin, double time) {
  const double width = summary->bin_width, end = begin + time;
  for (size_t bin = (size_t)(begin / width); bin < BINS && (double)bin * width < end; bin++)
    bins[bin] += fmin(end, (double)(bin + 1) * width) - fmax(begin, (double)bin * width);
}

static int add_spans(json_t *events, struct summary *summary, struct error *error) {
  json_t *event;
  size_t i;
  json_array_foreach(events, i, event) {
    if (!is_busy_span(summary->form, event))
      continue;
    struct core *core = core_of(summary, event, error);
    if (!core->busy && !(core->busy = calloc(MOST_KINDS, sizeof *core->busy)))
      return error_no_memory(error);
    add_span(summary, core->busy[kind_of(summary, name_of_kind(event))], number_of(event, "ts"),
             number_of(event, "dur"));
  }
  return 0;
}

static json_t *shares(const struct summary *summary, const double *busy, unsigned engines) {
  json_t *list = json_array();
  for (size_t bin = 0; bin < BINS; bin++) {
    const double share = 100 * busy[bin] / (summary->bin_width * engines);
    json_array_append_new(list, json_real(round(share * 10) / 10));
  }
  return list;
}

static json_t *core_summary(const struct summary *summary, const struct core *core) {
  json_t *busy = json_object();
  for (size_t kind = 0; kind < summary->kind_count; kind++)
    json_object_set_new(busy, summary->kinds[kind], shares(summary, core->busy[kind], core->engines));
  return json_pack("{s:s, s:i, s:o}", "name", core->name, "engines", (int)core->engines, "busy_percent", busy);
}

static json_t *summary_document(const struct summary *summary, json_t *other) {
  json_t *kinds = json_array(), *cores = json_array();
  for (size_t kind = 0; kind < summary->kind_count; kind++)
    json_array_append_new(kinds, json_string(summary->kinds[kind]));
  for (size_t i = 0; i < summary->core_count; i++)
    if (summary->cores[i].busy && summary->cores[i].engines > 0)
      json_array_append_new(cores, core_summary(summary, &summary->cores[i]));
  return json_pack("{s:O?, s:O?, s:f, s:s, s:O?, s:o, s:o}", "schema", json_object_get(other, "schema"), "gpu",
                   json_object_get(other, "gpu"), "bin_width", summary->bin_width, "unit", summary->form->unit,
                   "spans_left_out", json_object_get(other, "spans_left_out"), "kinds", kinds, "cores", cores);
}

static void clear(struct summary *summary) {
  for (size_t i = 0; i < summary->core_count; i++)
    free(summary->cores[i].busy);
  free(summary->cores);
}

static int reduce(struct document *document, const struct form *form, char **note, struct error *error) {
  json_t *events = json_object_get(document->json, "traceEvents"), *made = NULL;
  struct summary summary = {.form = form};
  *note = NULL;
  int status = survey(events, &summary, error);
  if (status == 0)
    status = add_spans(events, &summary, error);
  if (status == 0 && !(made = summary_document(&summary, json_object_get(document->json, "otherData"))))
    status = error_no_memory(error);
  clear(&summary);
  if (status == 0) {
    json_decref(document->json);
    document->json = made;
    document->schema = json_string_value(json_object_get(made, "schema"));
  }
  return status;
}

int reduce_timeline(struct document *document, char **note, struct error *error) {
  return reduce(document, &form_of_launch, note, error);
}

int reduce_program_timeline(struct document *document, char **note, struct error *error) {
  return reduce(document, &form_of_program, note, error);
}
