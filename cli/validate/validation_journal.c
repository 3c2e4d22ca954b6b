#include "cli/validate/validation_journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_index.h"
#include "base/input/journal.h"
#include "cli/core/provenance.h"

#define JOURNAL_SCHEMA "reassemble.validate-journal/2"

enum { DIGEST_BYTES = 17, LINE_BYTES = 256 };

struct row {
  uint64_t digest;
  size_t variant;
  double cycles, time_ns, issue_slots;
};

struct validation_journal {
  const struct replay *replay;
  struct journal *file;
  char *path;
  struct row *rows; /* read from the file */
  size_t count, capacity;
  const struct row *checked;  /* the first result of a trace of this replay: it is replayed again; NULL: none */
  struct hash_table by_trace; /* numbers of rows, by digest and variant */
  struct replay_keeper keeper;
};

static const struct journal_member members[] = {
    {"schema", "the journal's format"},
    {"version", "the program's version"},
    {"board", "the board"},
    {"points", "the choice of points"},
    {"board_digest", "what was measured"},
    {"gpu", "the GPU"},
    {"gpu_digest", "a parameter of the GPU"},
    {"isa", "the GPU's ISA profile"},
    {"ablate", "whether mechanisms are turned off (--ablate)"},
    {NULL, NULL},
};

static const char otherwise[] = "remove it, or name another one with --journal";
static const struct journal_kind kind = {"a validation", members, otherwise, "the same command"};

/* ---- head ---- */

static json_t *digest_json(uint64_t digest) {
  char text[DIGEST_BYTES];
  snprintf(text, sizeof text, "%016" PRIx64, digest);
  return json_string(text);
}

static json_t *make_head(const struct board *board, const struct replay *replay, bool ablate) {
  const struct gpu *gpu = replay->gpu;
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:b}", "schema", JOURNAL_SCHEMA, "version",
                   REASSEMBLE_VERSION, "board", board->name, "points", board->choice ? board->choice : "all",
                   "board_digest", digest_json(board_hash(board)), "gpu", gpu->name, "gpu_digest",
                   digest_json(provenance_gpu_digest(gpu)), "isa", gpu->isa, "ablate", ablate);
}

/* ---- rows ---- */

static uint64_t trace_hash(uint64_t digest, size_t variant) {
  const uint64_t trace[] = {digest, variant};
  return hash_bytes(trace, sizeof trace);
}

static const struct row *find(const struct validation_journal *journal, uint64_t digest, size_t variant) {
  const uint64_t hash = trace_hash(digest, variant);
  for (uint32_t at = hash_table_first(&journal->by_trace, hash), i;
       (i = hash_table_next(&journal->by_trace, hash, &at)) != HASH_INDEX_NONE;)
    if (journal->rows[i].digest == digest && journal->rows[i].variant == variant)
      return &journal->rows[i];
  return NULL;
}

static bool equal(const struct row *a, const struct row *b) {
  return a->cycles == b->cycles && a->time_ns == b->time_ns && a->issue_slots == b->issue_slots;
}

static bool parse(const char *rest, struct row *row) {
  int used = 0;
  return sscanf(rest, "r %16" SCNx64 " %zu %la %la %la%n", &row->digest, &row->variant, &row->cycles, &row->time_ns,
                &row->issue_slots, &used) == 5 &&
         rest[used] == '\0';
}

static int take_row(void *context, const char *path, unsigned number, char *rest, struct error *error) {
  struct validation_journal *journal = context;
  struct row row;
  if (!parse(rest, &row))
    return error_at(error, ERROR_INPUT, path, number, 0, NULL, "is no result of this validation, although undamaged");
  const struct row *known = find(journal, row.digest, row.variant);
  if (known)
    return equal(known, &row) ? 0
                              : error_at(error, ERROR_INPUT, path, number, 0, NULL,
                                         "contradicts another result of the same trace; %s", otherwise);
  if (!array_room(&journal->rows, &journal->capacity, journal->count + 1, sizeof row) ||
      !hash_table_add(&journal->by_trace, trace_hash(row.digest, row.variant), (uint32_t)journal->count))
    return error_no_memory(error);
  journal->rows[journal->count++] = row;
  return 0;
}

/* ---- the replay's results ---- */

static bool has_trace(const struct replay *replay, uint64_t digest) {
  for (size_t i = 0; i < replay->count; i++)
    if (!replay->kernels[i].refusal && replay->kernels[i].digest == digest)
      return true;
  return false;
}

/* Chooses the result that is replayed again. */
static void choose_checked(struct validation_journal *journal) {
  for (size_t i = 0; i < journal->count && !journal->checked; i++)
    if (has_trace(journal->replay, journal->rows[i].digest))
      journal->checked = &journal->rows[i];
}

static int recall(void *context, size_t kernel, size_t variant, struct sim_result *result, struct error *error) {
  const struct validation_journal *journal = context;
  const struct row *row = find(journal, journal->replay->kernels[kernel].digest, variant);
  (void)error;
  if (!row || row == journal->checked)
    return 0;
  result->cycles = row->cycles;
  result->time_ns = row->time_ns;
  result->issue_slots = row->issue_slots;
  return 1;
}

static int keep(void *context, size_t kernel, size_t variant, const struct sim_result *result, struct error *error) {
  const struct validation_journal *journal = context;
  const struct row row = {journal->replay->kernels[kernel].digest, variant, result->cycles, result->time_ns,
                          result->issue_slots};
  const struct row *known = find(journal, row.digest, variant);
  char line[LINE_BYTES];
  if (known)
    return equal(known, &row) ? 0
                              : error_at(error, ERROR_INPUT, journal->path, 0, 0, NULL,
                                         "the journal's result of %s is not what this program predicts; %s",
                                         journal->replay->kernels[kernel].name, otherwise);
  snprintf(line, sizeof line, "r %016" PRIx64 " %zu %a %a %a", row.digest, variant, row.cycles, row.time_ns,
           row.issue_slots);
  return journal_append(journal->file, line, error);
}

/* ---- the file ---- */

static int open_file(struct validation_journal *journal, const struct board *board, bool ablate, struct error *error) {
  json_t *head = make_head(board, journal->replay, ablate);
  const int status = head && journal->path
                         ? journal_open(journal->path, &kind, head, true, take_row, journal, &journal->file, error)
                         : error_no_memory(error);
  json_decref(head);
  choose_checked(journal);
  return status;
}

int validation_journal_open(const char *path, const struct board *board, const struct replay *replay, bool ablate,
                            struct validation_journal **out, struct error *error) {
  struct validation_journal *journal = calloc(1, sizeof *journal);
  *out = NULL;
  if (!journal)
    return error_no_memory(error);
  *journal = (struct validation_journal){
      .replay = replay, .path = strdup(path), .keeper = {.context = journal, .recall = recall, .keep = keep}};
  if (open_file(journal, board, ablate, error) != 0) {
    validation_journal_close(journal);
    return -1;
  }
  *out = journal;
  return 0;
}

const struct replay_keeper *validation_journal_keeper(const struct validation_journal *journal) {
  return &journal->keeper;
}

void validation_journal_close(struct validation_journal *journal) {
  if (!journal)
    return;
  journal_close(journal->file);
  hash_table_clear(&journal->by_trace);
  free(journal->rows);
  free(journal->path);
  free(journal);
}
