#include "tuner/evaluate/point_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/input/json_parse.h"
#include "tuner/evaluate/evaluator.h"

#define JOURNAL_SCHEMA "reassemble.tune-journal/1"

enum { MOST_BYTES = 1 << 30 };
static const int64_t sync_interval_ns = 500000000;

struct point_journal {
  char *path;
  int descriptor;
  size_t axes, measurements;
  int64_t next_sync_ns;
};

static int failed(const struct point_journal *journal, const char *what, struct error *error) {
  return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "%s: %s", what, strerror(errno));
}

/* ---- writing ---- */

static int write_all(struct point_journal *journal, const char *text, size_t length, struct error *error) {
  while (length > 0) {
    const ssize_t written = write(journal->descriptor, text, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return failed(journal, "cannot write the journal", error);
    text += written;
    length -= (size_t)written;
  }
  return 0;
}

/* Writes a line and drops the reference to it. */
static int write_line(struct point_journal *journal, json_t *line, struct error *error) {
  char *text = line ? json_text(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(line);
  if (!text)
    return error_no_memory(error);
  const size_t length = strlen(text);
  text[length] = '\n'; /* it replaces the NUL, so that the line is written in one piece */
  const int status = write_all(journal, text, length + 1, error);
  free(text);
  return status;
}

static json_t *numbers(const double *values, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, isfinite(values[i]) ? json_real(values[i]) : json_null());
  return array;
}

int point_journal_append(struct point_journal *journal, const double *points, const double *predictions, size_t count,
                         struct error *error) {
  for (size_t i = 0; i < count; i++) {
    json_t *line = json_pack("{s:o, s:o}", "point", numbers(points + i * journal->axes, journal->axes), "predictions",
                             numbers(predictions + i * journal->measurements, journal->measurements));
    if (write_line(journal, line, error) != 0)
      return -1;
  }
  const int64_t now = clock_nanoseconds();
  if (now < journal->next_sync_ns)
    return 0;
  journal->next_sync_ns = now + sync_interval_ns;
  return fdatasync(journal->descriptor) == 0 ? 0 : failed(journal, "cannot write the journal", error);
}

static int write_head(struct point_journal *journal, const struct point_journal_fact *facts, size_t count,
                      struct error *error) {
  json_t *head = json_pack("{s:s}", "schema", JOURNAL_SCHEMA);
  for (size_t i = 0; i < count; i++)
    json_object_set_new(head, facts[i].key, json_string(facts[i].text));
  return write_line(journal, head, error);
}

/* ---- reading ---- */

static int malformed(const struct point_journal *journal, unsigned line, const char *what, struct error *error) {
  return error_at(error, ERROR_INPUT, journal->path, line, 0, NULL,
                  "%s; it is no journal of `reassemble tune`, or damaged: remove it to start anew", what);
}

static int check_head(const struct point_journal *journal, const json_t *head, const struct point_journal_fact *facts,
                      size_t count, struct error *error) {
  const char *schema = json_string_value(json_object_get(head, "schema"));
  if (!schema || strcmp(schema, JOURNAL_SCHEMA) != 0)
    return malformed(journal, 1, "found no \"schema\": \"" JOURNAL_SCHEMA "\"", error);
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_object_get(head, facts[i].key));
    if (!text || strcmp(text, facts[i].text) != 0)
      return error_at(error, ERROR_INPUT, journal->path, 1, 0, facts[i].key,
                      "the journal is of another run: found %.100s, this run has %.100s; remove it or name another "
                      "with --journal",
                      text ? text : "nothing", facts[i].text);
  }
  return 0;
}

/* Reads `count` numbers, of which null is NaN. Returns false if `array` holds anything else. */
static bool take_numbers(const json_t *array, size_t count, double *out) {
  if (!json_is_array(array) || json_array_size(array) != count)
    return false;
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(array, i);
    if (!json_is_number(value) && !json_is_null(value))
      return false;
    out[i] = json_is_null(value) ? NAN : json_number_value(value);
  }
  return true;
}

static int add_point(const struct point_journal *journal, const json_t *line, unsigned number, struct evaluator *e,
                     struct error *error) {
  double point[SPACE_MOST], normal[SPACE_MOST];
  double *predictions = calloc(journal->measurements, sizeof *predictions);
  if (!predictions)
    return error_no_memory(error);
  struct error reason = ERROR_INIT;
  int status = 0;
  if (!take_numbers(json_object_get(line, "point"), journal->axes, point) ||
      !take_numbers(json_object_get(line, "predictions"), journal->measurements, predictions)) {
    status = malformed(journal, number, "found no point with its predictions", error);
  } else {
    memcpy(normal, point, sizeof normal);
    space_normalise(e->space, normal);
    if (memcmp(normal, point, journal->axes * sizeof *point) != 0)
      status = malformed(journal, number, "found a point that is out of range", error);
    else if (evaluator_add_known(e, point, predictions, &reason) != 0)
      status = malformed(journal, number, reason.text, error);
  }
  free(predictions);
  return status;
}

static int read_line(const struct point_journal *journal, const char *text, size_t length, unsigned number,
                     const struct point_journal_fact *facts, size_t fact_count, struct evaluator *e,
                     struct error *error) {
  json_error_t problem;
  json_t *line = json_parse(text, length, JSON_REJECT_DUPLICATES, &problem);
  int status;
  if (!line && json_problem_is_memory(&problem))
    return error_no_memory(error);
  if (!json_is_object(line))
    status = malformed(journal, number, "found no JSON object", error);
  else if (number == 1)
    status = check_head(journal, line, facts, fact_count, error);
  else
    status = add_point(journal, line, number, e, error);
  json_decref(line);
  return status;
}

/* Reads the whole lines and sets *used to their length. */
static int read_lines(const struct point_journal *journal, const char *text, size_t length, size_t *used,
                      const struct point_journal_fact *facts, size_t fact_count, struct evaluator *e,
                      struct error *error) {
  unsigned number = 0;
  *used = 0;
  for (const char *end; (end = memchr(text + *used, '\n', length - *used));) {
    const size_t line = (size_t)(end - (text + *used));
    if (read_line(journal, text + *used, line, ++number, facts, fact_count, e, error) != 0)
      return -1;
    *used += line + 1;
  }
  return 0;
}

/* Simulates the first point again: other traces or another model would give other predictions. */
static int check_first_point(const struct point_journal *journal, struct evaluator *e, struct error *error) {
  if (e->count == 0)
    return 0;
  const size_t bytes = journal->measurements * sizeof(double);
  double *predictions = malloc(bytes);
  if (!predictions)
    return error_no_memory(error);
  const struct gpu_spec spec = space_apply(e->space, e->spec, e->entries[0]->point);
  int status = e->predictor->predict(e->predictor->context, &spec, 1, predictions, &e->refusal, error);
  bool equal = true;
  for (size_t i = 0; i < journal->measurements && status == 0; i++) {
    const double kept = e->entries[0]->predictions[i];
    equal &= predictions[i] == kept || (isnan(predictions[i]) && isnan(kept));
  }
  free(predictions);
  if (status != 0 || equal)
    return status;
  return error_at(error, ERROR_INPUT, journal->path, 2, 0, NULL,
                  "the journal is of another run: its first point predicts other times now; workloads or model have "
                  "changed: remove it or name another with --journal");
}

static int resume(struct point_journal *journal, const struct point_journal_fact *facts, size_t fact_count,
                  struct evaluator *e, struct error *error) {
  char *text;
  size_t length, used;
  if (file_read(journal->path, MOST_BYTES, &text, &length, error) != 0)
    return -1;
  int status = read_lines(journal, text, length, &used, facts, fact_count, e, error);
  const bool foreign = status == 0 && used == 0 && length > 0 && text[0] != '{';
  free(text);
  if (foreign)
    return malformed(journal, 1, "found no JSON object", error);
  if (status == 0 && ftruncate(journal->descriptor, (off_t)used) != 0) /* an incomplete line */
    status = failed(journal, "cannot shorten the journal", error);
  if (status == 0 && used == 0)
    status = write_head(journal, facts, fact_count, error);
  return status == 0 ? check_first_point(journal, e, error) : status;
}

static int open_alone(struct point_journal *journal, struct error *error) {
  journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal->descriptor < 0)
    return failed(journal, "cannot open the journal", error);
  if (flock(journal->descriptor, LOCK_EX | LOCK_NB) != 0)
    return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "another run has this journal open");
  return 0;
}

int point_journal_open(const char *path, const struct point_journal_fact *facts, size_t fact_count, struct evaluator *e,
                       struct point_journal **out, struct error *error) {
  struct point_journal *journal = calloc(1, sizeof *journal);
  if (!journal || !(journal->path = strdup(path))) {
    free(journal);
    return error_no_memory(error);
  }
  journal->descriptor = -1;
  journal->axes = e->space->count;
  journal->measurements = e->predictor->count;
  if (open_alone(journal, error) != 0 || resume(journal, facts, fact_count, e, error) != 0) {
    point_journal_close(journal, NULL);
    return -1;
  }
  e->journal = journal;
  *out = journal;
  return 0;
}

int point_journal_close(struct point_journal *journal, struct error *error) {
  if (!journal)
    return 0;
  int status = 0;
  if (journal->descriptor >= 0 && fdatasync(journal->descriptor) != 0)
    status = failed(journal, "cannot write the journal", error);
  if (journal->descriptor >= 0)
    close(journal->descriptor);
  free(journal->path);
  free(journal);
  return status;
}
