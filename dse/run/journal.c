#include "dse/run/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/input/json_parse.h"
#include "base/text.h"

#define JOURNAL_SCHEMA "reassemble.dse-journal/2"

enum { CHECKSUM_DIGITS = 16, LONGEST_NUMBER = 32 };

struct journal {
  int descriptor;
  char *path;
  off_t end; /* behind the last whole line */
};

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

/* ---- head ---- */

static json_t *digest_json(uint64_t digest) {
  char text[CHECKSUM_DIGITS + 1];
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

json_t *journal_head(const struct points *points, const struct evaluation *evaluation, bool exact,
                     const char *version) {
  const struct sweep *sweep = points->sweep;
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:o, s:b, s:o}", "schema", JOURNAL_SCHEMA, "version", version,
                   "sweep", sweep->name, "sweep_path", sweep->path, "sweep_digest", digest_json(sweep->digest), "gpu",
                   sweep->gpu->name, "designs", (json_int_t)points->design_count, "designs_digest",
                   digest_json(points_digest(points)), "exact", exact, "workloads", workloads_json(evaluation));
}

static int compare_heads(const char *path, const json_t *found, const json_t *wanted, struct error *error) {
  static const struct {
    const char *key, *meaning;
  } members[] = {
      {"schema", "the journal's format"},
      {"version", "the program's version"},
      {"sweep", "the sweep"},
      {"sweep_digest", "the text of the sweep's file"},
      {"gpu", "the base GPU"},
      {"designs", "the number of designs"},
      {"designs_digest", "the designs (has a GPU file changed?)"},
      {"exact", "whether all is exact (--exact)"},
      {"workloads", "the workloads, or what their traces hold"},
  };
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    const json_t *mine = json_object_get(wanted, members[i].key), *theirs = json_object_get(found, members[i].key);
    if (mine != NULL && theirs != NULL && json_equal(mine, theirs))
      continue;
    const char *a = json_string_value(theirs), *b = json_string_value(mine);
    return error_at(error, ERROR_INPUT, path, 1, 0, members[i].key,
                    "this journal is of another run: %s differs%s%s%s%s%s; choose another output folder",
                    members[i].meaning, a && b ? " (found " : "", a && b ? a : "", a && b ? ", expected " : "",
                    a && b ? b : "", a && b ? ")" : "");
  }
  return 0;
}

/* ---- reading ---- */

/* Returns the rest of a whole, undamaged line (its end removed), or NULL for any other. */
static char *checked_rest(char *line, ssize_t length) {
  unsigned long long sum;
  int used = 0;
  if (length <= CHECKSUM_DIGITS + 1 || line[length - 1] != '\n' || strlen(line) != (size_t)length)
    return NULL;
  line[length - 1] = '\0';
  if (sscanf(line, "%16llx%n", &sum, &used) != 1 || used != CHECKSUM_DIGITS || line[CHECKSUM_DIGITS] != ' ')
    return NULL;
  char *rest = line + CHECKSUM_DIGITS + 1;
  return text_hash(TEXT_HASH_START, rest, strlen(rest)) == sum ? rest : NULL;
}

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

static int take_line(const char *path, unsigned number, const char *rest, struct outcomes *outcomes,
                     struct error *error) {
  size_t design, workload;
  enum outcome_kind kind;
  double values[MOST_OUTCOME_VALUES];
  if (!parse_result(rest, outcomes, &design, &workload, &kind, values))
    return error_at(error, ERROR_INPUT, path, number, 0, NULL, "is no result of this sweep, although undamaged");
  const int status = outcomes_put(outcomes, design, workload, values, kind);
  if (status > 0)
    return out_of_memory(error);
  return status == 0 ? 0 : contradiction(path, number, error);
}

static int take_head(const char *path, const char *rest, json_t **out, struct error *error) {
  json_error_t problem;
  *out = rest != NULL ? json_parse(rest, strlen(rest), JSON_REJECT_DUPLICATES, &problem) : NULL;
  if (json_is_object(*out))
    return 0;
  if (rest != NULL && *out == NULL && json_problem_is_memory(&problem))
    return out_of_memory(error);
  json_decref(*out);
  *out = NULL;
  return error_at(error, ERROR_INPUT, path, 1, 0, NULL, "is no journal of a sweep, or its first line is damaged");
}

/* Reads from the beginning. *end becomes the end of the last whole line, or 0 if there is no whole head. */
static int read_lines(FILE *file, const char *path, const json_t *head, struct outcomes *outcomes, off_t *end,
                      struct error *error) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  int status = 0;
  *end = 0;
  for (unsigned number = 1; status == 0 && (length = getline(&line, &capacity, file)) > 0; number++) {
    if (line[length - 1] != '\n') /* the run ended while it wrote this line */
      break;
    *end += length;
    char *rest = checked_rest(line, length);
    if (number > 1) {
      status = rest ? take_line(path, number, rest, outcomes, error) : 0;
      continue;
    }
    json_t *found;
    status = take_head(path, rest, &found, error);
    if (status == 0)
      status = compare_heads(path, found, head, error);
    json_decref(found);
  }
  if (status == 0 && ferror(file))
    status = error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot read the journal: %s", strerror(errno));
  free(line);
  return status;
}

static FILE *open_to_read(const char *path, struct error *error) {
  FILE *file = fopen(path, "re");
  if (file == NULL)
    error_at(error, ERROR_INPUT, path, 0, 0, NULL, "cannot open the journal: %s", strerror(errno));
  return file;
}

int journal_read_head(const char *path, json_t **out, struct error *error) {
  char *line = NULL;
  size_t capacity = 0;
  *out = NULL;
  FILE *file = open_to_read(path, error);
  if (file == NULL)
    return -1;
  const ssize_t length = getline(&line, &capacity, file);
  const int status = take_head(path, length > 0 ? checked_rest(line, length) : NULL, out, error);
  free(line);
  fclose(file);
  return status;
}

int journal_read(const char *path, const json_t *head, struct outcomes *outcomes, struct error *error) {
  off_t end;
  FILE *file = open_to_read(path, error);
  if (file == NULL)
    return -1;
  int status = read_lines(file, path, head, outcomes, &end, error);
  if (status == 0 && end == 0)
    status = error_at(error, ERROR_INPUT, path, 0, 0, NULL, "is empty: that run ended before its first result");
  fclose(file);
  return status;
}

/* ---- writing ---- */

static int cannot_write(const struct journal *journal, struct error *error) {
  const int reason = errno;
  return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL,
                  "cannot write the journal: %s; what was there stays, and --resume goes on from it", strerror(reason));
}

/* Writes a whole line or nothing: a part that a full disk accepted is cut off again. */
static int write_line(struct journal *journal, const char *line, size_t length, struct error *error) {
  for (size_t written = 0; written < length;) {
    const ssize_t n = pwrite(journal->descriptor, line + written, length - written, journal->end + (off_t)written);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      const int status = cannot_write(journal, error);
      if (ftruncate(journal->descriptor, journal->end) != 0)
        return status; /* the reader cuts it off */
      return status;
    }
    written += (size_t)n;
  }
  journal->end += (off_t)length;
  return 0;
}

static int write_rest(struct journal *journal, const char *rest, struct error *error) {
  const uint64_t sum = text_hash(TEXT_HASH_START, rest, strlen(rest));
  char *line = text_format("%016llx %s\n", (unsigned long long)sum, rest);
  if (line == NULL)
    return out_of_memory(error);
  const int status = write_line(journal, line, strlen(line), error);
  free(line);
  return status;
}

int journal_append(struct journal *journal, size_t design, size_t workload, const double *values, size_t value_count,
                   enum outcome_kind kind, struct error *error) {
  char rest[64 + MOST_OUTCOME_VALUES * LONGEST_NUMBER];
  int used = snprintf(rest, sizeof rest, "r %zu %zu %s", design, workload, kinds[kind]);
  for (size_t i = 0; i < value_count; i++)
    used += snprintf(rest + used, sizeof rest - (size_t)used, " %a", values[i]);
  return write_rest(journal, rest, error);
}

static int open_file(struct journal *journal, bool resume, struct error *error) {
  journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
  if (journal->descriptor < 0 && errno == EEXIST)
    return error_at(error, ERROR_INPUT, journal->path, 0, 0, NULL,
                    "holds results of a run already: go on with --resume, or choose another output folder");
  if (journal->descriptor < 0)
    return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "cannot open the journal: %s", strerror(errno));
  if (flock(journal->descriptor, LOCK_EX | LOCK_NB) != 0)
    return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "another run is writing this journal");
  return 0;
}

static int go_on(struct journal *journal, const json_t *head, struct outcomes *outcomes, struct error *error) {
  FILE *file = open_to_read(journal->path, error);
  if (file == NULL)
    return -1;
  int status = read_lines(file, journal->path, head, outcomes, &journal->end, error);
  fclose(file);
  if (status == 0 && ftruncate(journal->descriptor, journal->end) != 0)
    status = cannot_write(journal, error);
  return status;
}

static int write_head(struct journal *journal, const json_t *head, struct error *error) {
  char *text = json_dumps(head, JSON_COMPACT);
  const int status = text != NULL ? write_rest(journal, text, error) : out_of_memory(error);
  free(text);
  return status;
}

int journal_open(const char *path, const json_t *head, bool resume, struct outcomes *outcomes, struct journal **out,
                 struct error *error) {
  *out = NULL;
  struct journal *journal = calloc(1, sizeof *journal);
  if (journal == NULL)
    return out_of_memory(error);
  journal->descriptor = -1;
  journal->path = strdup(path);
  int status = journal->path != NULL ? open_file(journal, resume, error) : out_of_memory(error);
  if (status == 0 && resume)
    status = go_on(journal, head, outcomes, error);
  if (status == 0 && journal->end == 0)
    status = write_head(journal, head, error);
  if (status != 0) {
    journal_close(journal);
    return -1;
  }
  *out = journal;
  return 0;
}

void journal_close(struct journal *journal) {
  if (journal == NULL)
    return;
  if (journal->descriptor >= 0)
    close(journal->descriptor);
  free(journal->path);
  free(journal);
}
