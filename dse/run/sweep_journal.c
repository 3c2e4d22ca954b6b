#include "dse/run/sweep_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOURNAL_SCHEMA "reassemble.dse-journal/2"

enum { DIGEST_BYTES = 17, LONGEST_NUMBER = 32 };

static const struct journal_member members[] = {
    {"schema", "the journal's format"},
    {"version", "the program's version"},
    {"sweep", "the sweep"},
    {"sweep_digest", "the text of the sweep's file"},
    {"gpu", "the base GPU"},
    {"designs", "the number of designs"},
    {"designs_digest", "the designs (has a GPU file changed?)"},
    {"exact", "whether all is exact (--exact)"},
    {"workloads", "the workloads, or what their traces hold"},
    {NULL, NULL},
};

static const struct journal_kind sweep_kind = {"a sweep", members, "choose another output folder", "--resume"};

/* ---- head ---- */

static json_t *digest_json(uint64_t digest) {
  char text[DIGEST_BYTES];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)digest);
  return json_string(text);
}

static json_t *workloads_json(const struct evaluation *evaluation) {
  json_t *list = json_array();
  for (size_t i = 0; i < evaluation->workload_count; i++)
    json_array_append_new(list, json_pack("{s:s%, s:o}", "name", evaluation->workloads[i].name,
                                          strlen(evaluation->workloads[i].name), "digest",
                                          digest_json(evaluation->workloads[i].digest)));
  return list;
}

json_t *sweep_journal_head(const struct points *points, const struct evaluation *evaluation, bool exact,
                           const char *version) {
  const struct sweep *sweep = points->sweep;
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:o, s:b, s:o}", "schema", JOURNAL_SCHEMA, "version", version,
                   "sweep", sweep->name, "sweep_path", sweep->path, "sweep_digest", digest_json(sweep->digest), "gpu",
                   sweep->gpu->name, "designs", (json_int_t)points->design_count, "designs_digest",
                   digest_json(points_digest(points)), "exact", exact, "workloads", workloads_json(evaluation));
}

/* ---- results ---- */

static int contradiction(const char *path, unsigned line, struct error *error) {
  return error_at(error, ERROR_INPUT, path, line, 0, NULL,
                  "contradicts another result of the same design and workload: was it written by another build?");
}

static const char *const kinds[] = {
    [OUTCOME_EXACT] = "exact", [OUTCOME_APPROXIMATE] = "approximate", [OUTCOME_CONFIRMED] = "confirmed"};

static bool parse_kind(const char *word, enum outcome_kind *kind) {
  for (int k = OUTCOME_EXACT; k <= OUTCOME_CONFIRMED; k++)
    if (strcmp(word, kinds[k]) == 0) {
      *kind = (enum outcome_kind)k;
      return true;
    }
  return false;
}

/* Parses a result. Returns false for text that is not a result of this sweep. */
static bool parse_result(const char *rest, const struct outcomes *outcomes, size_t *design, size_t *workload,
                         enum outcome_kind *kind, double *values) {
  char word[16];
  int used = 0;
  if (sscanf(rest, "r %zu %zu %15s%n", design, workload, word, &used) != 3 || *design >= outcomes->design_count ||
      *workload >= outcomes->workload_count || !parse_kind(word, kind))
    return false;
  const char *at = rest + used;
  for (size_t i = 0; i < outcomes->value_count; i++) {
    char *end;
    values[i] = strtod(at, &end);
    if (end == at)
      return false;
    at = end;
  }
  return *at == '\0';
}

static int take_line(void *context, const char *path, unsigned number, char *rest, struct error *error) {
  struct outcomes *outcomes = context;
  size_t design, workload;
  enum outcome_kind kind;
  double values[MOST_OUTCOME_VALUES];
  if (!parse_result(rest, outcomes, &design, &workload, &kind, values))
    return error_at(error, ERROR_INPUT, path, number, 0, NULL, "is no result of this sweep, although undamaged");
  const int status = outcomes_put(outcomes, design, workload, values, kind);
  if (status > 0)
    return error_no_memory(error);
  return status == 0 ? 0 : contradiction(path, number, error);
}

int sweep_journal_append(struct journal *journal, size_t design, size_t workload, const double *values,
                         size_t value_count, enum outcome_kind kind, struct error *error) {
  char rest[64 + MOST_OUTCOME_VALUES * LONGEST_NUMBER];
  int used = snprintf(rest, sizeof rest, "r %zu %zu %s", design, workload, kinds[kind]);
  for (size_t i = 0; i < value_count; i++)
    used += snprintf(rest + used, sizeof rest - (size_t)used, " %a", values[i]);
  return journal_append(journal, rest, error);
}

/* ---- files ---- */

int sweep_journal_open(const char *path, const json_t *head, bool resume, struct outcomes *outcomes,
                       struct journal **out, struct error *error) {
  return journal_open(path, &sweep_kind, head, resume, take_line, outcomes, out, error);
}

int sweep_journal_read_head(const char *path, json_t **out, struct error *error) {
  return journal_read_head(path, &sweep_kind, out, error);
}

int sweep_journal_read(const char *path, const json_t *head, struct outcomes *outcomes, struct error *error) {
  return journal_read(path, &sweep_kind, head, take_line, outcomes, error);
}
