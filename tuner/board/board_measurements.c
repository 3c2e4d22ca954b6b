/* Reads measurements that are listed in the board's JSON file. */
#include "tuner/board/board_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/text.h"

static const char *const measurement_keys[] = {"name",  "workload", "launch",   "groups", "terms",   "description",
                                               "value", "spread",   "source",   "median", "maximum", "runs",
                                               "group", "weight",   "outliers", NULL};
static const char *const term_keys[] = {"workload", "launch", "groups", "weight", NULL};

static int read_term(const json_t *object, struct board_term *term, const char *file, struct error *error) {
  const char *workload;
  int64_t launch = 0;
  term->weight = 1;
  if (json_need_string(object, "workload", &workload, file, error) != 0 ||
      board_copy(workload, &term->workload, error) != 0 ||
      board_optional(object, "groups", &term->groups, file, error) != 0)
    return -1;
  if (json_object_get(object, "launch") && json_need_int(object, "launch", 0, 1000000, &launch, file, error) != 0)
    return -1;
  term->launch = (unsigned)launch;
  return !json_object_get(object, "weight") ? 0
                                            : json_need_real(object, "weight", -1e9, 1e9, &term->weight, file, error);
}

static int read_terms(const json_t *object, struct board_measurement *m, const char *file, struct error *error) {
  json_t *list;
  if (json_need_array(object, "terms", &list, file, error) != 0)
    return -1;
  const size_t count = json_array_size(list);
  m->terms = calloc(count + 1, sizeof *m->terms);
  if (!m->terms)
    return error_no_memory(error);
  for (; m->term_count < count; m->term_count++) {
    const json_t *term = json_array_get(list, m->term_count);
    if (!json_is_object(term))
      return error_at(error, ERROR_INPUT, file, 0, 0, "terms", "found something else than an object");
    if (json_check_keys(term, term_keys, file, error) != 0 ||
        read_term(term, &m->terms[m->term_count], file, error) != 0) {
      m->term_count++; /* the data of this term are freed with the others */
      return -1;
    }
  }
  return count > 0 ? 0 : error_at(error, ERROR_INPUT, file, 0, 0, "terms", "found none, expected at least one");
}

static int read_work(const json_t *object, struct board_measurement *m, const char *file, struct error *error) {
  if (json_object_get(object, "terms") && json_object_get(object, "workload"))
    return error_at(error, ERROR_INPUT, file, 0, 0, "terms", "found a workload as well, expected one of the two");
  if (json_object_get(object, "terms"))
    return read_terms(object, m, file, error);
  m->terms = calloc(1, sizeof *m->terms);
  if (!m->terms)
    return error_no_memory(error);
  m->term_count = 1;
  return read_term(object, m->terms, file, error);
}

static int read_measurement(const json_t *object, struct board_measurement *m, const char *file, struct error *error) {
  const char *name;
  const json_t *spread = json_object_get(object, "spread");
  m->spread = -1;
  if (!json_is_object(object))
    return error_at(error, ERROR_INPUT, file, 0, 0, "", "found something else than an object");
  if (json_check_keys(object, measurement_keys, file, error) != 0 ||
      json_need_string(object, "name", &name, file, error) != 0 || board_copy(name, &m->name, error) != 0 ||
      read_work(object, m, file, error) != 0 ||
      board_optional(object, "description", &m->description, file, error) != 0 ||
      board_optional(object, "source", &m->source, file, error) != 0 ||
      board_optional(object, "group", &m->group, file, error) != 0 ||
      json_need_real(object, "value", 1e-9, 1e18, &m->value, file, error) != 0)
    return -1;
  if (spread && !json_is_null(spread) && json_need_real(object, "spread", 0, 1e18, &m->spread, file, error) != 0)
    return -1;
  return board_name_sum(m, error);
}

/* Adds the number of the measurement to the key of an error that has no line. */
static void name_measurement(size_t index, struct error *error) {
  char member[sizeof error->key];
  snprintf(member, sizeof member, "%s", error->key);
  snprintf(error->key, sizeof error->key, "measurements[%zu]%s%.60s", index, member[0] != '\0' ? "." : "", member);
}

int board_read_measurements(const json_t *list, struct board *board, struct complaints *complaints,
                            struct error *error) {
  board->measurements = calloc(json_array_size(list) + 1, sizeof *board->measurements);
  if (!board->measurements)
    return error_no_memory(error);
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct error found = ERROR_INIT;
    board->count = i + 1;
    if (read_measurement(json_array_get(list, i), &board->measurements[i], board->path, &found) != 0)
      name_measurement(i, &found);
    if (complaints_add(complaints, &found) != 0)
      return complaints_end(complaints, error);
  }
  return 0;
}

void board_measurement_clear(struct board_measurement *m) {
  for (size_t i = 0; i < m->term_count; i++) {
    free(m->terms[i].workload);
    free(m->terms[i].groups);
  }
  free(m->terms);
  free(m->name);
  free(m->workload);
  free(m->description);
  free(m->source);
  free(m->group);
  *m = (struct board_measurement){0};
}

/* ---- sums ---- */

static void put_term(const struct board_term *term, bool first, FILE *out) {
  const double size = term->weight < 0 ? -term->weight : term->weight;
  fputs(first ? (term->weight < 0 ? "-" : "") : term->weight < 0 ? " - " : " + ", out);
  if (size != 1)
    fprintf(out, "%.12g x ", size);
  fputs(term->workload, out);
  if (term->launch > 0)
    fprintf(out, ".%u", term->launch);
}

int board_name_sum(struct board_measurement *m, struct error *error) {
  size_t length;
  if (m->term_count == 1 && m->terms[0].weight == 1)
    return board_copy(m->terms[0].workload, &m->workload, error);
  FILE *out = text_stream_begin(&m->workload, &length);
  if (!out)
    return error_no_memory(error);
  for (size_t i = 0; i < m->term_count; i++)
    put_term(&m->terms[i], i == 0, out);
  return text_stream_end(out, &m->workload) ? 0 : error_no_memory(error);
}

/* ---- names and launches that occur twice ---- */

struct named {
  const struct board_measurement *m;
  size_t index;
};

static int order_terms(const struct board_term *a, const struct board_term *b) {
  const int groups = strcmp(a->groups ? a->groups : "", b->groups ? b->groups : "");
  if (a->launch != b->launch)
    return a->launch < b->launch ? -1 : 1;
  return groups;
}

static int same_work(const struct board_measurement *a, const struct board_measurement *b) {
  int order = strcmp(a->workload, b->workload);
  if (order == 0 && a->term_count != b->term_count)
    order = a->term_count < b->term_count ? -1 : 1;
  for (size_t i = 0; i < a->term_count && order == 0; i++)
    order = order_terms(&a->terms[i], &b->terms[i]);
  return order;
}

static int by_index(const struct named *a, const struct named *b) {
  return a->index < b->index ? -1 : 1;
}

static int by_name(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  const int order = strcmp(x->m->name, y->m->name);
  return order != 0 ? order : by_index(x, y);
}

static int by_work(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  const int order = same_work(x->m, y->m);
  return order != 0 ? order : by_index(x, y);
}

static int complain_twice(const struct board *board, const struct named *first, const struct named *again, bool is_name,
                          struct complaints *complaints) {
  struct error found = ERROR_INIT;
  const struct board_measurement *m = again->m;
  if (is_name)
    error_at(&found, ERROR_INPUT, board->path, 0, 0, "name", "found \"%.60s\" a second time", m->name);
  else
    error_at(&found, ERROR_INPUT, board->path, 0, 0, "workload",
             "found launch %u of %.200s a second time (first: measurement %.60s)", m->terms[0].launch, m->workload,
             first->m->name);
  name_measurement(again->index, &found);
  return complaints_add(complaints, &found);
}

int board_check_twice(const struct board *board, struct complaints *complaints, struct error *error) {
  struct named *list = calloc(board->count + 1, sizeof *list);
  if (!list)
    return error_no_memory(error);
  int status = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < board->count; i++)
      list[i] = (struct named){&board->measurements[i], i};
    qsort(list, board->count, sizeof *list, pass == 0 ? by_name : by_work);
    for (size_t i = 1; i < board->count && status == 0; i++) {
      const bool same =
          pass == 0 ? strcmp(list[i - 1].m->name, list[i].m->name) == 0 : same_work(list[i - 1].m, list[i].m) == 0;
      if (same)
        status = complain_twice(board, &list[i - 1], &list[i], pass == 0, complaints);
    }
  }
  free(list);
  return status == 0 ? 0 : complaints_end(complaints, error);
}
